-- Loops that go through rows of threads, which read ahead what several steps need, and keep what the last steps have stored.
-- ==
-- entry: recurrence second_order read_back guarded
-- random input { [70][40]f32 } auto output
-- random input { [3][17]f32 } auto output
-- random input { [3][1]f32 } auto output
-- random input { [3][0]f32 } auto output

-- ==
-- entry: beside
-- input { 1i64 [[1f32, 2f32, 3f32]] } error: out of bounds
-- input { 1000000000000i64 [[1f32, 2f32, 3f32]] } error: out of bounds

#[incremental_flattening(only_outer)]
entry recurrence [m] [n] (rows: [m][n]f32) : [m][n]f32 =
  map (\xs -> loop ys = copy xs for i < n - 1 do ys with [i + 1] = 0.5 * ys[i] + 0.25 * xs[i + 1]) rows

#[incremental_flattening(only_outer)]
entry second_order [m] [n] (rows: [m][n]f32) : [m][n]f32 =
  map (\xs -> loop ys = copy xs for j < n - 2 do
         let i = n - 3 - j
         in ys with [i] = 0.5 * ys[i + 1] - 0.25 * ys[i + 2] + xs[i])
      rows

-- What the step itself has stored, perhaps, is read behind.
#[incremental_flattening(only_outer)]
entry read_back [m] [n] (rows: [m][n]f32) : ([m][n]f32, [m]f32) =
  unzip (map (\xs -> loop (ys, acc) = (copy xs, 0) for i < n do
                let ys = if xs[i] > 0.5 then ys with [i] = 0 else ys
                in (ys, acc + ys[i]))
             rows)

#[incremental_flattening(only_outer)]
entry guarded [m] [n] (rows: [m][n]f32) : [m][n]f32 =
  map (\xs -> loop ys = replicate n 0 for i < n do
         let before = if i < 2 then 1 else ys[i - 1] - ys[i - 2]
         in ys with [i] = 0.5 * before + xs[i])
      rows

#[incremental_flattening(only_outer)]
entry beside [m] [n] (off: i64) (rows: [m][n]f32) : [m][n]f32 =
  map (\xs -> loop ys = copy xs for i < n do ys with [i + off] = 0.5 * ys[i + off - 1] + xs[i]) rows
