-- Diffusion on a torus of three dimensions, several steps.
-- ==
-- input { 1 [[[64]]] } output { [[[64]]] }
-- input { 2 [[[64, 0], [0, 0]], [[0, 0], [0, 0]]] } output { [[[16, 8], [8, 8]], [[8, 8], [8, 0]]] }
-- compiled random input { 3 [5][7][3]i32 } auto output

def step [d] [h] [w] (xs: [d][h][w]i32) : [d][h][w]i32 =
  tabulate_3d d h w (\z y x ->
    (xs[(z - 1) % d, y, x] + xs[(z + 1) % d, y, x] + xs[z, (y - 1) % h, x] + xs[z, (y + 1) % h, x]
     + xs[z, y, (x - 1) % w] + xs[z, y, (x + 1) % w] + 2 * xs[z, y, x]) >> 3)

entry main [d] [h] [w] (steps: i32) (xs: [d][h][w]i32) : [d][h][w]i32 = iterate steps step xs
