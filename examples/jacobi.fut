-- Jacobi iteration for the Laplace equation: each inner point becomes the mean of its four neighbours, as often as is
-- asked; the border stays as it is.
-- ==
-- entry: main
--
-- input { 0 [[1f32, 2f32], [3f32, 4f32]] } output { [[1f32, 2f32], [3f32, 4f32]] }
-- input { 3 empty([0][2]f32) } output { empty([0][2]f32) }
-- input { 5 [[1f32]] } output { [[1f32]] }
-- input { 1 [[0f32, 4f32, 0f32], [8f32, 0f32, 16f32], [0f32, 4f32, 0f32]] }
-- output { [[0f32, 4f32, 0f32], [8f32, 8f32, 16f32], [0f32, 4f32, 0f32]] }
-- input { 2 [[0f32, 0f32, 0f32, 0f32], [16f32, 0f32, 0f32, 16f32], [0f32, 0f32, 0f32, 0f32]] }
-- output { [[0f32, 0f32, 0f32, 0f32], [16f32, 5f32, 5f32, 16f32], [0f32, 0f32, 0f32, 0f32]] }
--
-- compiled random input { 10 [31][37]f32 } auto output
-- compiled random input { 7 [2][257]f32 } auto output
-- compiled random input { 33 [128][128]f32 } auto output
--
-- notest compiled random input { 100 [4096][4096]f32 } auto output

def step [h] [w] (grid: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    if y == 0 || y == h - 1 || x == 0 || x == w - 1
    then grid[y, x]
    else (grid[y - 1, x] + grid[y + 1, x] + grid[y, x - 1] + grid[y, x + 1]) / 4)

entry main [h] [w] (steps: i32) (grid: [h][w]f32) : [h][w]f32 = iterate steps step grid
