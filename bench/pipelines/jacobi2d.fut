-- Jacobi's iteration for the Laplace equation in the plane: each inner point becomes the mean of its four neighbours.
def step [h] [w] (grid: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    if y == 0 || y == h - 1 || x == 0 || x == w - 1
    then grid[y, x]
    else (grid[y - 1, x] + grid[y + 1, x] + grid[y, x - 1] + grid[y, x + 1]) / 4)

entry main [h] [w] (steps: i32) (grid: [h][w]f32) : [h][w]f32 = iterate steps step grid
