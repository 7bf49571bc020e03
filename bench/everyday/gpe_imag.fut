-- Ground state of a trapped Bose gas: imaginary-time Gross-Pitaevskii in 3-D (f64), renormalised at every step, until the chemical potential settles.
entry main [d][h][w] (maxit: i64) (tol: f64) (g: f64) (seed: [d][h][w]f64) : ([d][h][w]f64, f64, i64) =
  let c n i = (f64.i64 (2*i+1) / f64.i64 n - 1) * 4
  let trap = tabulate_3d d h w (\z y x -> 0.5 * (c d z ** 2 + 1.5 * c h y ** 2 + c w x ** 2))
  let h2 n = (f64.i64 n / 8) ** 2
  let (iz, iy, ix) = (h2 d, h2 h, h2 w)
  let cell = 512 / f64.i64 (d*h*w)
  let dt = 0.4 / (iz + iy + ix + 40)
  let norm f = cell * f64.sum (map (\v -> v*v) (flatten_3d f))
  let scale k = map (map (map (* k)))
  let psi0 = map2 (map2 (map2 (\t s -> f64.exp (-0.3 * t) * (0.75 + 0.5 * s)))) trap seed
  let start = scale (1 / f64.sqrt (norm psi0)) psi0
  let (psi, mu, _, k) =
    loop (psi, mu, err, k) = (start, 0, f64.inf, 0i64) while err > tol && k < maxit do
      let at z y x = if z < 0 || y < 0 || x < 0 || z >= d || y >= h || x >= w then 0 else psi[z,y,x]
      let next = tabulate_3d d h w (\z y x ->
        let p = psi[z,y,x]
        let lap = iz * (at (z-1) y x + at (z+1) y x - 2*p)
                  + iy * (at z (y-1) x + at z (y+1) x - 2*p)
                  + ix * (at z y (x-1) + at z y (x+1) - 2*p)
        in p + dt * (0.5 * lap - trap[z,y,x] * p - g * p*p*p))
      let n = f64.sqrt (norm next)
      let mu' = (1 - n) / dt
      in (scale (1/n) next, mu', f64.abs (mu' - mu) / (1 + f64.abs mu'), k + 1)
  in (psi, mu, k)
