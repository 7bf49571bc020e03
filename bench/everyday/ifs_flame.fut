-- Fractal flame: many chaos-game walkers with hashed choices of affine maps and variations, hits and colour sums by histogram, log tone map.
def next_rand (s: u32) : u32 = let s = s ^ (s << 13) in let s = s ^ (s >> 17) in s ^ (s << 5)

-- Fixed point (1/65536) affine maps and a fold, so that every walk is exact.
def maps : [4][6]i64 =
  [ [ 39322, -19661, 3000, 19661, 39322, -9000], [-26214, 13107, 30000, 22938, 32768, 12000]
  , [ 32768, 0, -32768, 0, 32768, 28000], [ 9830, -45875, 8000, 45875, 9830, 20000] ]

def jump (k: i64) (x: i64, y: i64) : (i64, i64) =
  let m = maps[k]
  let u = ((m[0] * x + m[1] * y) >> 16) + m[2]
  let v = ((m[3] * x + m[4] * y) >> 16) + m[5]
  in if k == 3 then (i64.abs u - 30000, v) else (u, v)

entry main [n] (h: i64) (w: i64) (steps: i64) (seed: [n]u32) : [h][w]f32 =
  let walk (s: u32) : [steps](i64, i32) =
    let start = (0, 0, s | 1, 0i32, replicate steps (-1, 0))
    let (_, _, _, _, out) =
      loop (x, y, s, c, out) = start for t < steps + 15 do
        let s = next_rand s
        let k = i64.u32 (s >> 30)
        let (x, y) = jump k (x, y)
        let c = (c + i32.i64 k * 85) / 2
        let (i, j) = (((y + 131072) * h) >> 18, ((x + 131072) * w) >> 18)
        let at = if i < 0 || i >= h || j < 0 || j >= w then -1 else i * w + j
        in (x, y, s, c, if t < 15 then out else out with [t - 15] = (at, c))
    in out
  let (is, cs) = unzip (flatten (map walk seed))
  let hits = hist (+) 0i32 (h * w) is (map (const 1) is)
  let heat = hist (+) 0i32 (h * w) is cs
  let top = f32.log (f32.i32 (1 + i32.maximum hits))
  in unflatten (map2 (\k c -> if k == 0 then 0 else f32.log (1 + f32.i32 k) / (1e-6 + top) * f32.i32 c / f32.i32 k / 255) hits heat)
