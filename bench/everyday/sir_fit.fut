-- Fits SIR epidemics to noisy daily counts of many regions: residual Jacobian by jvp through the RK2 loop, Levenberg steps.
type par = {beta: f32, gam: f32, i0: f32}

def simulate (days: i64) (p: par) : [days]f32 =
  let f (s: f32) (i: f32) = let inf = p.beta * s * i in (-inf, inf - p.gam * i)
  in (loop (out, s, i) = (replicate days 0, 1 - p.i0, p.i0) for t < days do
        let (s, i) = loop (s, i) = (s, i) for _k < 4 do
          let (ds, di) = f s i
          let (es, ei) = f (s + 0.125 * ds) (i + 0.125 * di)
          in (s + 0.25 * es, i + 0.25 * ei)
        in (out with [t] = i, s, i)).0

entry main [r][days] (iters: i32) (truth: [r]f32) (noise: [r][days]f32) : ([r]f32, [r]f32, [r]f32) =
  let fit (u: f32) (e: [days]f32) =
    let real = simulate days {beta = 0.3 + 0.4 * u, gam = 0.15, i0 = 0.02}
    let obs = map2 (\x e -> x * (1 + 0.1 * (e - 0.5))) real e
    let run (p: par) = simulate days p
    let p = loop p : par = {beta = 0.45, gam = 0.2, i0 = 0.03} for _k < iters do
      let res = map2 (-) obs (run p)
      let jb = jvp run p {beta = 1, gam = 0, i0 = 0}
      let jg = jvp run p {beta = 0, gam = 1, i0 = 0}
      let ji = jvp run p {beta = 0, gam = 0, i0 = 1}
      let dot a b = f32.sum (map2 (*) a b)
      let lam = 0.01
      let (a, b, c) = (dot jb jb + lam, dot jb jg, dot jb ji)
      let (d, g, h) = (dot jg jg + lam, dot jg ji, dot ji ji + lam)
      let (x, y, z) = (dot jb res, dot jg res, dot ji res)
      let det = a * (d * h - g * g) - b * (b * h - g * c) + c * (b * g - d * c)
      let det = f32.max 1e-9 det
      let db = (x * (d * h - g * g) - b * (y * h - g * z) + c * (y * g - d * z)) / det
      let dg = (a * (y * h - g * z) - x * (b * h - g * c) + c * (b * z - y * c)) / det
      let di = (a * (d * z - y * g) - b * (b * z - y * c) + x * (b * g - d * c)) / det
      let clip lo hi v = f32.max lo (f32.min hi v)
      in {beta = clip 0.05 1.5 (p.beta + clip (-0.1) 0.1 db),
          gam = clip 0.01 0.8 (p.gam + clip (-0.05) 0.05 dg),
          i0 = clip 0.001 0.2 (p.i0 + clip (-0.01) 0.01 di)}
    let end = run p
    in (p.beta / p.gam, p.i0, f32.sqrt (f32.sum (map2 (\a b -> (a - b) ** 2) end obs) / f32.i64 days))
  in unzip3 (map2 fit truth noise)
