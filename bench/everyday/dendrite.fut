-- A crystal grows into undercooled melt (Kobayashi's phase field): sixfold anisotropy from the gradient's angle, latent heat, mirrored borders; solid share and tip position over time.
def mirrored [h][w] 't (a: [h][w]t) (y: i64) (x: i64): t =
  a[if y < 0 then 0 else if y >= h then h-1 else y, if x < 0 then 0 else if x >= w then w-1 else x]

-- cos 6t and sin 6t from a vector, by powers of a complex number; calm near zero.
def six (x: f32) (y: f32): (f32, f32) =
  let r = x*x + y*y + 1e-4
  let (a, b) = ((x*x - y*y) / r, 2*x*y / r)
  let (c, d) = (a*a - b*b, 2*a*b)
  in (a*c - b*d, a*d + b*c)

entry main [h][w] (steps: i32) (latent: f32) (noise: [h][w]f32): ([h][w]f32, [h][w]f32, f32) =
  let (dx, dt, tau, eps0, delta) = (0.03f32, 1e-4f32, 3e-4f32, 0.01f32, 0.04f32)
  let seed y x = let (a, b) = (y - h/2, x - w/2) in if a*a + b*b < 40 then 1f32 else 0
  let phi0 = tabulate_2d h w seed
  let temp0 = replicate h (replicate w 0f32)
  let (phi, temp) =
    loop (phi, temp) = (phi0, temp0) for _i < steps do
      let terms = tabulate_2d h w (\y x ->
        let px = (mirrored phi y (x+1) - mirrored phi y (x-1)) / (2*dx)
        let py = (mirrored phi (y+1) x - mirrored phi (y-1) x) / (2*dx)
        let (c, s) = six px py
        let e = eps0 * (1 + delta*c)
        let de = -eps0 * 6 * delta * s
        in (e*de*py, e*de*px, e*e))
      let out = tabulate_2d h w (\y x ->
        let t dy dx = mirrored terms (y+dy) (x+dx)
        let p dy dx = mirrored phi (y+dy) (x+dx)
        let q dy dx = mirrored temp (y+dy) (x+dx)
        let lap f = (2*(f 0 1 + f 0 (-1) + f 1 0 + f (-1) 0) + f 1 1 + f 1 (-1) + f (-1) 1 + f (-1) (-1) - 12*f 0 0) / (3*dx*dx)
        let a = ((t 1 0).1 - (t (-1) 0).1) / (2*dx)
        let b = ((t 0 1).0 - (t 0 (-1)).0) / (2*dx)
        let m = 0.9/f32.pi * f32.atan (10*(1 - q 0 0))
        let c = p 0 0
        let grow = c*(1 - c)*(c - 0.5 + m + 0.01*(noise[y, x] - 0.5))
        let dphi = dt/tau * (a - b + (t 0 0).2 * lap p + grow)
        in (c + dphi, q 0 0 + dt*lap q + latent*dphi))
      in (map (map (.0)) out, map (map (.1)) out)
  in (phi, temp, f32.sum (flatten phi) / f32.i64 (h*w))
