-- Biham-Middleton-Levine traffic on a torus: eastbound and southbound cars move in turn where the next cell is free; mean speed per step.
entry main [h][w] (steps: i64) (density: f32) (r: [h][w]u8) : ([h][w]i8, [steps](i64)) =
  let cut = u8.f32 (60 + 60 * density)
  let init = map (map (\x -> if x >= 2 * cut then 0i8 else if x < cut then 1 else 2)) r
  let east (a: [h][w]i8) =
    map (\row -> tabulate w (\j ->
      let l = row[(j + w - 1) % w]
      let n = row[(j + 1) % w]
      in if row[j] == 0 && l == 1 then 1
         else if row[j] == 1 && n == 0 then 0
         else row[j])) a
  let south (a: [h][w]i8) =
    tabulate_2d h w (\i j ->
      let c = a[i, j]
      in if c == 0 && a[(i + h - 1) % h, j] == 2 then 2
         else if c == 2 && a[(i + 1) % h, j] == 0 then 0
         else c)
  let moved (a: [h][w]i8) (b: [h][w]i8) = i64.sum (map2 (\x y -> i64.sum (map2 (\p s -> i64.bool (p != 0 && s == 0)) x y)) a b)
  in loop (a, speed) = (init, replicate steps 0) for t < steps do
       let b = east a
       let c = south b
       in (c, speed with [t] = moved a b + moved b c)
