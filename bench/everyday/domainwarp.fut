-- Noise synthesis: fractal value noise whose domain is warped twice by itself, from an integer hash; the picture and the mean of each row.
def hash (a: u32): u32 =
  let a = (a ^ (a >> 16)) * 0x7feb352d
  let a = (a ^ (a >> 15)) * 0x846ca68b
  in a ^ (a >> 16)

def lattice (seed: u32) (iy: i32) (ix: i32): f32 =
  f32.u32 (hash (u32.i32 ix * 0x9e3779b9 + hash (u32.i32 iy + seed)) >> 8) / 16777216

def noise (seed: u32) (y: f32) (x: f32): f32 =
  let (fy, fx) = (f32.floor y, f32.floor x)
  let (iy, ix) = (i32.f32 fy, i32.f32 fx)
  let ease t = t*t*t*(t*(6*t - 15) + 10)
  let (ty, tx) = (ease (y - fy), ease (x - fx))
  let row dy = let a = lattice seed (iy + dy) ix
               let b = lattice seed (iy + dy) (ix + 1)
               in a + tx*(b - a)
  in row 0 + ty*(row 1 - row 0)

def fbm (octaves: i64) (seed: u32) (y: f32, x: f32): f32 =
  (loop (s, a, y, x) = (0, 0.5, y, x) for i < octaves do
     (s + a * noise (seed + u32.i64 i) y x, 0.5*a, 1.6*y + 1.2*x, 1.6*x - 1.2*y)).0

entry main (h: i64) (w: i64) (octaves: i64) (seed: i32): ([h][w]f32, [h]f32) =
  let f = fbm octaves (u32.i32 seed)
  let g = fbm octaves (u32.i32 seed + 101)
  let picture = tabulate_2d h w (\y x ->
    let p = (f32.i64 y * 4 / f32.i64 h, f32.i64 x * 4 / f32.i64 w)
    let q = (p.0 + f p, p.1 + g p)
    let r = (p.0 + 2*f q + 0.17, p.1 + 2*g q + 0.92)
    in f r)
  in (picture, map (\row -> f32.sum row / f32.i64 w) picture)
