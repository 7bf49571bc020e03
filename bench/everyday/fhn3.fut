-- FitzHugh-Nagumo waves in heart-like tissue: fibres that turn with depth make the diffusion a tensor; no flux leaves; a probe's voltage is logged.
def clip (n: i64) (i: i64): i64 = if i < 0 then 0 else if i >= n then n - 1 else i

entry main [d][h][w] (steps: i64) (dt: f32) (u0: [d][h][w]f32) (v0: [d][h][w]f32): ([d][h][w]f32, [d][h][w]f32, [steps]f32) =
  let fibre = map (\z -> let a = f32.pi * 0.7 * f32.i64 z / f32.i64 d in (f32.cos a, f32.sin a)) (iota d)
  let step (u: [d][h][w]f32) (v: [d][h][w]f32) =
    tabulate_3d d h w (\z y x ->
      let at a b c = u[clip d (z+a), clip h (y+b), clip w (x+c)]
      let c = u[z,y,x]
      let (fx, fy) = fibre[z]
      let xx = at 0 0 1 + at 0 0 (-1) - 2*c
      let yy = at 0 1 0 + at 0 (-1) 0 - 2*c
      let zz = at 1 0 0 + at (-1) 0 0 - 2*c
      let xy = 0.25 * (at 0 1 1 + at 0 (-1) (-1) - at 0 1 (-1) - at 0 (-1) 1)
      let along = fx*fx*xx + 2*fx*fy*xy + fy*fy*yy
      let diffusion = 0.1*(xx + yy + zz) + 0.4*along
      let r = v[z,y,x]
      in (c + dt * (diffusion + c*(1 - c)*(c - 0.12) * 8 - r), r + dt * 0.02 * (c - 0.5*r)))
    |> map (map unzip >-> unzip) |> unzip
  let (u, v, log) =
    loop (u, v, log) = (copy u0, map (map (map (* 0.2))) v0, replicate steps 0) for i < steps do
      let (u, v) = step u v
      in (u, v, log with [i] = u[d/2, h/2, w/2])
  in (u, v, log)
