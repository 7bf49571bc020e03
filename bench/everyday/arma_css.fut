-- ARMA(2,1) conditional-sum-of-squares fits of many series over a parameter grid, and a five-step forecast of the best.
type par = {a1: f32, a2: f32, th: f32}

def sse [n] (y: [n]f32) (p: par) : (f32, f32) =
  let (s, e, _, _) =
    loop (s, e, y1, y2) = (0, 0, 0, 0) for t < n do
      let err = y[t] - p.a1 * y1 - p.a2 * y2 - p.th * e
      in (s + err * err, err, y[t], y1)
  in (s, e)

entry main [m][n] (grid: i64) (noise: [m][n]f32) : ([m]f32, [m][5]f32) =
  let cell k : par =
    let at i = f32.i64 i / f32.i64 grid
    in {a1 = -0.8 + 1.6 * at (k / (grid * grid)), a2 = -0.5 + at (k / grid % grid), th = -0.6 + 1.2 * at (k % grid)}
  let fit (e: [n]f32) =
    let y = (loop (y, p, q) = (copy e, 0, 0) for t < n do
               let v = e[t] - 0.5 + 0.55 * p - 0.2 * q
               in (y with [t] = v, v, p)).0
    let mean = f32.sum y / f32.i64 n
    let y = map (\v -> v - mean) y
    let cost = map (\k -> (sse y (cell k)).0) (iota (grid ** 3))
    -- softmax-like weights of the grid instead of a bare argmin, so near ties do not matter
    let low = f32.minimum cost
    let w = map (\c -> f32.exp (-20 * (c - low) / (low + 1e-6))) cost
    let tot = f32.sum w
    let avg f = f32.sum (map2 (\k w -> w * f (cell k)) (iota (grid ** 3)) w) / tot
    let p : par = {a1 = avg (\p -> p.a1), a2 = avg (\p -> p.a2), th = avg (\p -> p.th)}
    let (_, e) = sse y p
    let y1 = y[n - 1]
    let y2 = if n > 1 then y[n - 2] else 0
    let (out, _, _) = loop (out, y1, y2) = (replicate 5 0, y1, y2) for h < 5 do
      let v = p.a1 * y1 + p.a2 * y2 + (if h == 0 then p.th * e else 0)
      in (out with [h] = v + mean, v, y1)
    in (low / f32.i64 n, out)
  in unzip (map fit noise)
