-- Fusion of depth images into a truncated signed distance volume, then one smoothing step and the normals near the surface.
def bilerp [h][w] (a: [h][w]f32) (y: f32) (x: f32) : f32 =
  let cy = f32.max 0 (f32.min (f32.i64 (h - 1)) y)
  let cx = f32.max 0 (f32.min (f32.i64 (w - 1)) x)
  let (j, i) = (i64.f32 cy, i64.f32 cx)
  let (j1, i1) = (i64.min (h - 1) (j + 1), i64.min (w - 1) (i + 1))
  let (ty, tx) = (cy - f32.i64 j, cx - f32.i64 i)
  in (1 - ty) * ((1 - tx) * a[j, i] + tx * a[j, i1]) + ty * ((1 - tx) * a[j1, i] + tx * a[j1, i1])

def main [k][h][w] (n: i64) (depths: [k][h][w]f32) =
  let trunc = 0.1f32
  let cams = tabulate k (\i -> let t = 0.3 * f32.i64 i / f32.i64 k in {c = f32.cos t, s = f32.sin t})
  let coord i = (f32.i64 i + 0.5) / f32.i64 n - 0.5
  let fuse z y x =
    let (pz, py, px) = (coord z, coord y, coord x)
    let (d, wt) =
      loop (d, wt) = (1f32, 0.01f32) for i < k do
        let cam = cams[i]
        let qx = cam.c * px - cam.s * pz
        let qz = cam.s * px + cam.c * pz + 1.5
        let u = (qx / qz + 0.5) * f32.i64 w - 0.5
        let v = (py / qz + 0.5) * f32.i64 h - 0.5
        let sdf = 1.2 + 0.6 * bilerp depths[i] v u - qz
        let ws = f32.max 0 (f32.min 1 (sdf / trunc + 2))     -- fades out behind the surface
        let t = f32.max (-1) (f32.min 1 (sdf / trunc))
        in ((d * wt + t * ws) / (wt + ws), wt + ws)
    in (d, wt)
  let vol = tabulate_3d n n n fuse
  let at (a: [n][n][n]f32) z y x =
    let c i = i64.max 0 (i64.min (n - 1) i)
    in a[c z, c y, c x]
  let dist = map (map (map (.0))) vol
  let wts = map (map (map (.1))) vol
  let sm = tabulate_3d n n n (\z y x ->
    let nb = at dist (z - 1) y x + at dist (z + 1) y x + at dist z (y - 1) x + at dist z (y + 1) x + at dist z y (x - 1) + at dist z y (x + 1)
    in 0.4 * dist[z, y, x] + 0.1 * nb)
  let shade = tabulate_2d n n (\y x ->
    loop acc = 0 for z < n do
      let gz = at sm (z + 1) y x - at sm (z - 1) y x
      let gy = at sm z (y + 1) x - at sm z (y - 1) x
      let gx = at sm z y (x + 1) - at sm z y (x - 1)
      let len = f32.sqrt (gx * gx + gy * gy + gz * gz + 1e-6)
      let near = f32.exp (-20 * sm[z, y, x] * sm[z, y, x])
      in acc + near * f32.abs (0.6 * gz + 0.8 * gy) / len)
  in (sm, wts, shade)
