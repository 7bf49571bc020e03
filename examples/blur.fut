-- Two-stage blur: three neighbours are averaged in each row, then in each column. Past the border the nearest pixel is read.
-- ==
-- entry: main
--
-- input { [[3f32]] } output { [[3f32]] }
-- input { empty([0][0]f32) } output { empty([0][0]f32) }
-- input { empty([3][0]f32) } output { empty([3][0]f32) }
-- input { [[9f32, 0f32, 0f32]] } output { [[6f32, 3f32, 0f32]] }
-- input { [[0f32, 0f32, 0f32], [0f32, 9f32, 0f32], [0f32, 0f32, 0f32]] }
-- output { [[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]] }
--
-- compiled random input { [2][257]f32 } auto output
-- compiled random input { [101][1]f32 } auto output
-- compiled random input { [127][131]f32 } auto output
--
-- notest compiled random input { [8192][8192]f32 } auto output

def average (a: f32) (b: f32) (c: f32) : f32 = (a + b + c) / 3

def blur_rows [h] [w] (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> average img[y, i64.max 0 (x - 1)] img[y, x] img[y, i64.min (w - 1) (x + 1)])

def blur_columns [h] [w] (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> average img[i64.max 0 (y - 1), x] img[y, x] img[i64.min (h - 1) (y + 1), x])

entry main [h] [w] (img: [h][w]f32) : [h][w]f32 = blur_columns (blur_rows img)
