-- Water driving oil through rock (IMPES): the pressure by Jacobi until the change is small, then an upwind step of the saturation; double precision, and the water cut with time.
def mobility (s: f64): (f64, f64) = (s*s, 0.2 * (1 - s)*(1 - s))
def total s = let (w, o) = mobility s in w + o + 0.01
def harmonic (a: f64) (b: f64) = 2*a*b / (a + b)

entry main [h][w] (steps: i64) (tol: f64) (perm: [h][w]f64): ([h][w]f64, [h][w]f64, [steps]f64, i64) =
  let k = map (map (\p -> 0.2 + p)) perm
  let s0 = replicate h (replicate w 0.1)
  let p0 = tabulate_2d h w (\_ x -> 1 - (f64.i64 x + 0.5) / f64.i64 w)
  let (s, p, cut, work) =
    loop (s, p, cut, work) = (s0, p0, replicate steps 0, 0) for t < steps do
      let lam = map2 (map2 (\k s -> k * total s)) k s
      let tx = tabulate_2d h (w+1) (\y x -> if x == 0 then 2*lam[y,0] else if x == w then 2*lam[y,w-1] else harmonic lam[y,x-1] lam[y,x])
      let ty = tabulate_2d (h+1) w (\y x -> if y == 0 || y == h then 0 else harmonic lam[y-1,x] lam[y,x])
      let at (p: [h][w]f64) y x = if x < 0 then 1 else if x >= w then 0 else p[i64.max 0 (i64.min (h-1) y), x]
      let (p, _, n) =
        loop (p, change, n) = (p, 1e9, 0i64) while change > tol && n < 60 do
          let q = tabulate_2d h w (\y x ->
            let (l, r, d, u) = (tx[y,x], tx[y,x+1], ty[y,x], ty[y+1,x])
            let v = (l * at p y (x-1) + r * at p y (x+1) + d * at p (y-1) x + u * at p (y+1) x) / (l + r + d + u)
            in p[y,x] + 0.9 * (v - p[y,x]))
          in (q, f64.maximum (flatten (map2 (map2 (\a b -> f64.abs (a - b))) p q)), n + 1)
      let frac s = let (a, b) = mobility s in a / (a + b + 0.001)
      let sat y x = if x < 0 then 1 else s[y, i64.min (w-1) x]
      let fx y x = let q = tx[y,x] * (at p y (x-1) - at p y x) in q * frac (if q >= 0 then sat y (x-1) else sat y x)
      let fy y x = if y == 0 || y == h then 0 else let q = ty[y,x] * (p[y-1,x] - p[y,x]) in q * frac (if q >= 0 then s[y-1,x] else s[y,x])
      let dt = 0.2
      let s' = tabulate_2d h w (\y x ->
        f64.max 0 (f64.min 1 (s[y,x] + dt * (fx y x - fx y (x+1) + fy y x - fy (y+1) x))))
      in (s', p, cut with [t] = f64.sum (map (\y -> fx y w) (iota h)), work + n)
  in (s, p, cut, work)
