-- Every second pixel of every second row, as the mean of four.
-- ==
-- input { [[1, 3, 5, 7], [1, 3, 5, 7]] } output { [[2, 6]] }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[3]] }
-- input { [[1]] } output { empty([0][0]i32) }
-- compiled random input { [31][64]i32 } auto output

entry main [h] [w] (img: [h][w]i32) : [h / 2][w / 2]i32 =
  tabulate_2d (h / 2) (w / 2) (\y x ->
    (img[2 * y, 2 * x] + img[2 * y, 2 * x + 1] + img[2 * y + 1, 2 * x] + img[2 * y + 1, 2 * x + 1]) / 4)
