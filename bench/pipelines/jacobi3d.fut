-- Jacobi's iteration for the Laplace equation in space: each inner point becomes the mean of its six neighbours.
def step [d] [h] [w] (grid: [d][h][w]f32) : [d][h][w]f32 =
  tabulate_3d d h w (\z y x ->
    if z == 0 || z == d - 1 || y == 0 || y == h - 1 || x == 0 || x == w - 1
    then grid[z, y, x]
    else (grid[z - 1, y, x] + grid[z + 1, y, x] + grid[z, y - 1, x] + grid[z, y + 1, x]
          + grid[z, y, x - 1] + grid[z, y, x + 1]) / 6)

entry main [d] [h] [w] (steps: i32) (grid: [d][h][w]f32) : [d][h][w]f32 = iterate steps step grid
