-- A window of an image is flattened in each thread and weighed by a flat kernel.
-- ==
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]] [1, 0, -1, 2, 0, -2, 1, 0, -1] } output { [[-8, -8]] }
-- compiled random input { [13][17]i32 [9]i32 } auto output

entry main [h] [w] (img: [h][w]i32) (weights: [9]i32) : [][]i32 =
  tabulate_2d (h - 2) (w - 2) (\y x ->
    let window = flatten (img[y:y + 3, x:x + 3] :> [3][3]i32) :> [9]i32
    in loop s = 0 for i < 9 do s + window[i] * weights[i])
