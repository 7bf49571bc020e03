-- Terrain worn by water (virtual pipes after Mei and others): rain, four outflows per cell scaled to what is there, velocities, erosion and settling, sediment carried by looking back, evaporation.
type cell = { b: f32, d: f32, s: f32 } -- bed, depth of water, sediment
type flow = { l: f32, r: f32, t: f32, k: f32 }

entry main [h][w] (steps: i32) (rain: [h][w]f32) (bed: [h][w]f32): ([h][w]f32, [h][w]f32, [h][w]f32, f32) =
  let dt = 0.05f32
  let cl n (i: i64) = i64.max 0 (i64.min (n-1) i)
  let grid f = tabulate_2d h w f
  let outflow (c: [h][w]cell) (f: [h][w]flow) y x: flow =
    let level y x = let p = c[y, x] in p.b + p.d
    let here = level y x
    let old = f[y, x]
    let go (past: f32) inside yy xx = if inside then f32.max 0 (0.98*past + dt*4*(here - level (cl h yy) (cl w xx))) else 0
    let l = go old.l (x > 0) y (x-1)
    let r = go old.r (x < w-1) y (x+1)
    let t = go old.t (y > 0) (y-1) x
    let k = go old.k (y < h-1) (y+1) x
    let m = f32.min 1 (c[y, x].d / (dt*(l + r + t + k) + 1e-6))
    in { l = m*l, r = m*r, t = m*t, k = m*k }
  let none : flow = { l = 0, r = 0, t = 0, k = 0 }
  let start = grid (\y x -> { b = bed[y, x], d = 0.1, s = 0 } : cell)
  let (cells, _) =
    loop (c, f) = (start, grid (\_ _ -> none)) for _i < steps do
      let c = map2 (map2 (\(p: cell) r -> p with d = p.d + dt*0.1*r)) c rain
      let f = grid (outflow c f)
      let get y x = if y < 0 || x < 0 || y >= h || x >= w then none else f[y, x]
      let moved = grid (\y x ->
        let o = f[y, x]
        let (a, b, t, k) = ((get y (x-1)).r, (get y (x+1)).l, (get (y-1) x).k, (get (y+1) x).t)
        let p = c[y, x]
        let d = f32.max 0 (p.d + dt*(a + b + t + k - o.l - o.r - o.t - o.k))
        let mean = 0.5*(p.d + d) + 0.05
        let u = 0.5*(a - o.l + o.r - b) / mean
        let v = 0.5*(t - o.t + o.k - k) / mean
        let gx = (c[y, cl w (x+1)].b - c[y, cl w (x-1)].b) / 2
        let gy = (c[cl h (y+1), x].b - c[cl h (y-1), x].b) / 2
        let g2 = gx*gx + gy*gy
        let tilt = f32.sqrt (g2 / (1 + g2) + 0.0025)
        let cap = 0.1 * tilt * f32.sqrt (u*u + v*v + 1e-6)
        let e = 0.3*dt*(cap - p.s)
        let e = f32.max (-p.s) e
        in ({ b = p.b - e, d, s = p.s + e } : cell, (u, v)))
      let carried = grid (\y x ->
        let (p, (u, v)) = moved[y, x]
        let sy = f32.max 0 (f32.min (f32.i64 (h-1)) (f32.i64 y - dt*v))
        let sx = f32.max 0 (f32.min (f32.i64 (w-1)) (f32.i64 x - dt*u))
        let (j, i) = (i64.f32 sy, i64.f32 sx)
        let (ty, tx) = (sy - f32.i64 j, sx - f32.i64 i)
        let s y x = moved[cl h y, cl w x].0.s
        let sed = (1-ty)*((1-tx)*s j i + tx*s j (i+1)) + ty*((1-tx)*s (j+1) i + tx*s (j+1) (i+1))
        in p with s = sed with d = p.d * (1 - 0.02*dt))
      in (carried, f)
  let beds = map (map (.b)) cells
  let worn = f32.sum (flatten (map2 (map2 (\a b -> f32.abs (a - b))) bed beds)) / f32.i64 (h*w)
  in (beds, map (map (.d)) cells, map (map (.s)) cells, worn)
