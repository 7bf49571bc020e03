-- Acoustic waves in 3-D on a staggered grid (pressure and three velocities), layered speed, absorbing sponge, a source put in at each step, a receiver's trace.
def sponge (n: i64) (i: i64): f32 =
  let width = 8
  let depth = i64.max 0 (i64.max (width - i) (i - (n - 1 - width)))
  let t = f32.i64 depth / f32.i64 width
  in 1 - 0.1 * t * t

entry main [d][h][w][n] (c: f32) (speed: [d]f32) (wavelet: [n]f32) (start: [d][h][w]f32)
  : ([d][h][w]f32, [n]f32, f64) =
  let damp z y x = sponge d z * sponge h y * sponge w x
  let v0 = tabulate_3d d h w (\_ _ _ -> 0f32)
  let bulk = map (\s -> c * (0.5 + 0.5 * s)) speed
  let (sz, sy, sx) = (d / 2, h / 2, w / 2)
  let (p, _, _, _, trace) =
    loop (p, vz, vy, vx, trace) = (copy start, copy v0, copy v0, copy v0, replicate n 0) for t < n do
      let grad az ay ax (v: [d][h][w]f32) =
        tabulate_3d d h w (\z y x ->
          if z + az < d && y + ay < h && x + ax < w
          then damp z y x * (v[z, y, x] - c * (p[z + az, y + ay, x + ax] - p[z, y, x]))
          else 0)
      let vz = grad 1 0 0 vz
      let vy = grad 0 1 0 vy
      let vx = grad 0 0 1 vx
      let p' =
        tabulate_3d d h w (\z y x ->
          let bz = if z > 0 then vz[z - 1, y, x] else 0
          let by = if y > 0 then vy[z, y - 1, x] else 0
          let bx = if x > 0 then vx[z, y, x - 1] else 0
          let div = vz[z, y, x] - bz + vy[z, y, x] - by + vx[z, y, x] - bx
          in damp z y x * (p[z, y, x] - bulk[z] * div))
      let p' = p' with [sz, sy, sx] = p'[sz, sy, sx] + wavelet[t]
      in (p', vz, vy, vx, trace with [t] = p'[d / 4, h / 4, w / 4])
  in (p, trace, f64.sum (map (\x -> f64.f32 x * f64.f32 x) (flatten_3d p)))
