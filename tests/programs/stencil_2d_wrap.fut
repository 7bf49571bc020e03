-- The game of life on a torus.
-- ==
-- input { 1 [[false, true, false], [false, true, false], [false, true, false]] }
-- output { [[true, true, true], [true, true, true], [true, true, true]] }
-- input { 2 [[false, false, false, false, false], [false, false, true, false, false],
--            [false, false, true, false, false], [false, false, true, false, false],
--            [false, false, false, false, false]] }
-- output { [[false, false, false, false, false], [false, false, true, false, false],
--           [false, false, true, false, false], [false, false, true, false, false],
--           [false, false, false, false, false]] }
-- compiled random input { 5 [23][29]bool } auto output

def step [h] [w] (cells: [h][w]bool) : [h][w]bool =
  let alive (y: i64) (x: i64) = i32.bool cells[y % h, x % w]
  in tabulate_2d h w (\y x ->
       let n = alive (y - 1) (x - 1) + alive (y - 1) x + alive (y - 1) (x + 1) + alive y (x - 1) + alive y (x + 1)
               + alive (y + 1) (x - 1) + alive (y + 1) x + alive (y + 1) (x + 1)
       in n == 3 || (n == 2 && cells[y, x]))

entry main [h] [w] (steps: i32) (cells: [h][w]bool) : [h][w]bool = iterate steps step cells
