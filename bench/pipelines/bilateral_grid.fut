-- Bilateral filter by a coarse grid over place and value, as Halide's app (s_sigma 8, r_sigma 0.1): histograms of 8x8
-- cells, sums of values and counts; 1 4 6 4 1 in z, x and y; three-linear sampling at each pixel.
import "image"

def cell : i64 = 8
def levels : f32 = 1f32 / 0.1f32
def depth : i64 = i64.f32 levels + 2

def five (at: i64 -> f32) : f32 = at 0 + at 1 * 4 + at 2 * 6 + at 3 * 4 + at 4

def mix (a: f32) (b: f32) (t: f32) : f32 = a * (1 - t) + b * t

-- [2 + z] of cell (y, x) is bin z; cells begin at -2.
def blurred [gy] [gx] (grid: [gy][gx][depth + 4]f32) : [gy - 4][gx - 4][depth]f32 =
  let blur_z = tabulate_3d gy gx depth (\y x z -> five (\d -> grid[y, x, z + d]))
  let blur_x = tabulate_3d gy (gx - 4) depth (\y x z -> five (\d -> blur_z[y, x + d, z]))
  in tabulate_3d (gy - 4) (gx - 4) depth (\y x z -> five (\d -> blur_x[y + d, x, z]))

entry main [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let bright v = f32.max 0 (f32.min 1 v)
  let gy = (h - 1) / cell + 2 + 4
  let gx = (w - 1) / cell + 2 + 4
  let grid = tabulate_2d gy gx (\y x ->
    let pixel i = clamped img ((y - 2) * cell + i / cell - cell / 2) ((x - 2) * cell + i % cell - cell / 2)
    let pixels = map (\i -> bright (pixel i)) (iota (cell * cell))
    let bins = map (\v -> 2 + i64.f32 (v * levels + 0.5)) pixels
    in (hist (+) 0 (depth + 4) bins pixels, hist (+) 0 (depth + 4) bins (map (const 1f32) pixels)))
  let values = blurred (map (map (.0)) grid)
  let counts = blurred (map (map (.1)) grid)
  in tabulate_2d h w (\y x ->
       let zv = bright img[y, x] * levels
       let z = i64.f32 zv
       let zf = zv - f32.i64 z
       let (yi, xi) = (y / cell, x / cell)
       let yf = f32.i64 (y % cell) / f32.i64 cell
       let xf = f32.i64 (x % cell) / f32.i64 cell
       let sample g =
         let plane k = mix (mix g[yi, xi, k] g[yi, xi + 1, k] xf) (mix g[yi + 1, xi, k] g[yi + 1, xi + 1, k] xf) yf
         in mix (plane z) (plane (z + 1)) zf
       in sample values / sample counts)
