-- A stencil whose results are its next input, for a number of steps that the input gives, and a different one every other time.
-- ==
-- input { 0i64 [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { 3i64 [[0, 0, 0], [0, 64, 0], [0, 0, 0]] } output { [[5, 6, 5], [10, 12, 10], [5, 6, 5]] }
-- compiled random input { 6i64 [17][19]i32 } auto output

def across [h] [w] (xs: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\y x -> xs[y, i64.max 0 (x - 1)] / 4 + xs[y, x] / 2 + xs[y, i64.min (w - 1) (x + 1)] / 4)

def down [h] [w] (xs: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\y x -> xs[i64.max 0 (y - 1), x] / 4 + xs[y, x] / 2 + xs[i64.min (h - 1) (y + 1), x] / 4)

entry main [h] [w] (steps: i64) (xs: [h][w]i32) : [h][w]i32 =
  loop xs for i < steps do if i % 2 == 0 then across xs else down xs
