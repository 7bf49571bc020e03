-- Missing samples of many series filled with the last known one, and the longest gap of each series.
type cell = {ok: bool, x: f32, age: i32}

def later (a: cell) (b: cell) : cell =
  if b.ok then b else {ok = a.ok, x = a.x, age = a.age + b.age}

entry main [n] [t] (xs: [n][t]f32) (known: [n][t]bool) : ([n][t]f32, [n]i32) =
  let fill row ok =
    let cells = map2 (\x k -> if k then {ok = true, x, age = 0} else {ok = false, x = 0, age = 1}) row ok
    let done = scan later {ok = false, x = 0, age = 0} cells
    in (map (.x) done, i32.maximum (map (.age) done))
  in unzip (map2 fill xs known)
