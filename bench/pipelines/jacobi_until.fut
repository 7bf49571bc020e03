-- Jacobi's iteration until no point changes by more than a tolerance, but at most as often as is asked.
def tolerance : f32 = 0.005

def step [h] [w] (grid: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    if y == 0 || y == h - 1 || x == 0 || x == w - 1
    then grid[y, x]
    else (grid[y - 1, x] + grid[y + 1, x] + grid[y, x - 1] + grid[y, x + 1]) / 4)

def change [h] [w] (a: [h][w]f32) (b: [h][w]f32) : f32 =
  f32.maximum (flatten (map2 (map2 (\p q -> f32.abs (p - q))) a b))

entry main [h] [w] (most: i32) (grid: [h][w]f32) : [h][w]f32 =
  let (grid, _, _) =
    loop (grid, moved, done) = (grid, f32.inf, 0) while moved > tolerance && done < most do
      let next = step grid
      in (next, change next grid, done + 1)
  in grid
