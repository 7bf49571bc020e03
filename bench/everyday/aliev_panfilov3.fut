-- Aliev-Panfilov excitation waves in a block of heart muscle: fibre angle turns with depth, no-flux borders.
def main [d][h][w] (steps: i32) (u0: [d][h][w]f32) (v0: [d][h][w]f32) =
  let a = 0.15f32
  let k = 8f32
  let mu1 = 0.2f32
  let mu2 = 0.3f32
  let dt = 0.04f32
  let (dl, dtv) = (0.9f32, 0.25f32)   -- along and across the fibre
  let tensor = tabulate d (\z ->
    let th = f32.pi * (f32.i64 z / f32.i64 d - 0.5) * 0.66
    let (c, s) = (f32.cos th, f32.sin th)
    in (dtv + (dl - dtv) * c * c, dtv + (dl - dtv) * s * s, (dl - dtv) * c * s))
  let step (u: [d][h][w]f32) (v: [d][h][w]f32) =
    let at z y x = u[i64.max 0 (i64.min (d - 1) z), i64.max 0 (i64.min (h - 1) y), i64.max 0 (i64.min (w - 1) x)]
    in tabulate_3d d h w (\z y x ->
         let (dxx, dyy, dxy) = tensor[z]
         let c = u[z, y, x]
         let r = v[z, y, x]
         let lap = dxx * (at z y (x - 1) + at z y (x + 1) - 2 * c)
                 + dyy * (at z (y - 1) x + at z (y + 1) x - 2 * c)
                 + dtv * (at (z - 1) y x + at (z + 1) y x - 2 * c)
                 + 0.5 * dxy * (at z (y + 1) (x + 1) + at z (y - 1) (x - 1) - at z (y + 1) (x - 1) - at z (y - 1) (x + 1))
         let eps = 0.002 + mu1 * r / (c + mu2)
         let c' = c + dt * (lap - k * c * (c - a) * (c - 1) - c * r)
         let r' = r + dt * eps * (-r - k * c * (c - a - 1))
         in (f32.max 0 (f32.min 1.5 c'), r'))
  let (u, v) =
    loop (u, v) = (u0, map (map (map (* 0.3))) v0) for _i < steps do
      unzip (map unzip (map (map unzip) (step u v)) |> map (\(p, q) -> (p, q)))
  let ecg = map (\pl -> f32.sum (map f32.sum pl) / f32.i64 (h * w)) u
  in (u, v, ecg)
