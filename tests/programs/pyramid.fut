-- Images of shrinking size: the host halves until one pixel is left, then builds a sum on the way.
-- ==
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]] } output { 8 2 }
-- input { [[7]] } output { 7 0 }

def half [h] [w] (img: [h][w]i32) : [][]i32 =
  tabulate_2d (h / 2) (w / 2) (\y x ->
    (img[2 * y, 2 * x] + img[2 * y, 2 * x + 1] + img[2 * y + 1, 2 * x] + img[2 * y + 1, 2 * x + 1]) / 4)

entry main (img: [][]i32) : (i32, i32) =
  let (last, levels) = loop (img, levels) = (img, 0) while length img > 1 do (half img, levels + 1)
  in (last[0, 0], levels)
