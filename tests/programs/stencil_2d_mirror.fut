-- A weighted cross; at the border indices are mirrored about the outermost pixel.
-- ==
-- input { [[1, 2], [3, 4]] } output { [[-1, -2], [17, 16]] }
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[-4, 5, -2], [11, 20, 13], [32, 41, 34]] }
-- compiled random input { [17][13]i32 } auto output

def mirror (n: i64) (i: i64) : i64 = if i < 0 then -i else if i >= n then 2 * n - 2 - i else i

entry main [h] [w] (img: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\y x ->
    img[y, x] * 4 - img[mirror h (y - 1), x] - 2 * img[mirror h (y + 1), x] - 3 * img[y, mirror w (x - 1)]
    + 5 * img[y, mirror w (x + 1)])
