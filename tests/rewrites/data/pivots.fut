-- Elements whose places follow from other elements, which only kernels need: one thread of the device reads them.

-- Elimination as by Gauss and Jordan: the row of the largest element, and what it is multiplied with.
entry eliminated [n] [m] (a: [n][m]f64) : [n][m]f64 =
  loop a for i < i64.min n m do
    let larger (x, j) (y, k) = if x < y || (x == y && k < j) then (y, k) else (x, j)
    let (_, j) = reduce_comm larger (0, 0) (zip (map f64.abs a[i:, i]) (iota (n - i)))
    let f = (1 - a[i, i]) / a[i + j, i]
    let row = map2 (\x y -> f64.fma f x y) a[i + j] a[i]
    in tabulate n (\k -> let g = -a[k, i] in map2 (\x y -> if k == i then x else f64.fma g x y) row a[k])

-- A row that an array says, which may be none.
entry row_of [n] [m] (js: [n]i64) (a: [n][m]f32) (k: i64) : [m]f32 =
  let j = js[k]
  let x = if a[j, 0] < 0 then f32.sqrt (-a[j, 0]) else a[0, 0]
  in map (* x) a[j]
