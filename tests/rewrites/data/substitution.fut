-- Elements of an array, one after the other, each of those before: one thread of the device stores them.
entry forwards [n] (a: [n][n]f32) (b: [n]f32) : [n]f32 =
  loop y = replicate n 0 for i < n do
    let s = f32.sum (map2 (*) a[i, :i] y[:i])
    in y with [i] = (b[i] - s) / (a[i, i] + 1)

-- Of the array itself, which nothing reads as it is overwritten.
entry itself [n] (b: [n]i32) : [n]i32 =
  loop y = copy b for i < n - 1 do
    let m = i32.maximum (map (\x -> (x * i32.i64 i) % 17) y[:i])
    in y with [i + 1] = y[i + 1] + m * y[i]

-- At a place that an element says, which may be none.
entry placed [n] (at: [n]i64) (b: [n]i32) : [n]i32 =
  loop y = replicate n 0i32 for i < n do
    let j = i64.maximum (map (\k -> (at[k] + i) % 7) (iota (i + 1)))
    in y with [j] = b[i] + i32.i64 (j * j)

-- Of rows that were computed before.
entry halved [n] (a: [n][n]f32) (b: [n]f32) : [n]f32 =
  let l = loop l = copy a for i < n do
            let row = map (\x -> x / 2 + f32.i64 i) l[i]
            in l with [i] = row
  in loop y = replicate n 0 for i < n do
       y with [i] = b[i] - f32.sum (map2 (*) l[i, :i] y[:i]) * l[i, i]
