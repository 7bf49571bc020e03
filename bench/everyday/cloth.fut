-- A cloth of masses and springs: positions and velocities on a grid.
type v3 = (f32, f32, f32)
def main [h][w] (steps: i32) (dt: f32) (px: [h][w]f32) (py: [h][w]f32) (pz: [h][w]f32) : ([h][w]f32, [h][w]f32, [h][w]f32) =
  let zero = replicate h (replicate w 0f32)
  let (a, b, c, _, _, _) = loop (px, py, pz, vx, vy, vz) = (px, py, pz, zero, zero, zero) for _i < steps do
    let force y x =
      let one dy dx =
        let yy = y + dy let xx = x + dx
        in if yy < 0 || yy >= h || xx < 0 || xx >= w then (0, 0, 0) else
           let ax = px[yy,xx] - px[y,x] let ay = py[yy,xx] - py[y,x] let az = pz[yy,xx] - pz[y,x]
           let l = f32.sqrt (ax*ax + ay*ay + az*az) + 1e-6
           let k = 10 * (l - 1) / l
           in (k*ax, k*ay, k*az)
      let add (a: v3) (b: v3) = (a.0+b.0, a.1+b.1, a.2+b.2)
      in one (-1) 0 `add` one 1 0 `add` one 0 (-1) `add` one 0 1
    let f = tabulate_2d h w force
    let vx = map2 (map2 (\v f -> (v + dt * f.0) * 0.99)) vx f
    let vy = map2 (map2 (\v f -> (v + dt * (f.1 - 9.81)) * 0.99)) vy f
    let vz = map2 (map2 (\v f -> (v + dt * f.2) * 0.99)) vz f
    let pin y v = if y == 0 then 0 else v
    in (tabulate_2d h w (\y x -> px[y,x] + dt * pin y vx[y,x]), tabulate_2d h w (\y x -> py[y,x] + dt * pin y vy[y,x]),
        tabulate_2d h w (\y x -> pz[y,x] + dt * pin y vz[y,x]), vx, vy, vz)
  in (a, b, c)
