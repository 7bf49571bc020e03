-- Drift-diffusion of electrons and holes with a Poisson potential: Scharfetter-Gummel face fluxes, contacts left and right, insulated top and bottom.
def bern (x: f32) : f32 = if f32.abs x < 1e-2 then 1 - x/2 + x*x/12 else x / (f32.exp x - 1)

entry main [h][w] (steps: i32) (dt: f32) (bias: f32) (doping: [h][w]f32) : ([h][w]f32, [h][w]f32, [h][w]f32) =
  let dop = tabulate_2d h w (\y x -> (if 2*x < w then 1 else -1) * (0.5 + 0.5 * doping[y,x]))
  let n0 = map (map (\c -> 0.5 * (c + f32.sqrt (c*c + 0.04)))) dop
  let p0 = map (map (\c -> 0.5 * (f32.sqrt (c*c + 0.04) - c))) dop
  let contact x = x == 0 || x == w-1
  let refl i = i64.max 0 (i64.min (h-1) i)
  let poisson phi n p =
    loop phi for _i < 6i32 do
      tabulate_2d h w (\y x ->
        if contact x then (if x == 0 then 0 else bias)
        else 0.25 * (phi[refl (y-1),x] + phi[refl (y+1),x] + phi[y,x-1] + phi[y,x+1]
                     + 0.1 * (dop[y,x] - n[y,x] + p[y,x])))
  -- charge sign s; flux out of cell a into cell b
  let sg (s: f32) (ca: f32) (cb: f32) (pa: f32) (pb: f32) : f32 =
    let d = s * (pb - pa)
    in bern d * ca - bern (-d) * cb
  let carry s (c: [h][w]f32) (phi: [h][w]f32) (r: [h][w]f32) : [h][w]f32 =
    tabulate_2d h w (\y x ->
      if contact x then c[y,x]
      else
        let out j i = sg s c[y,x] c[j,i] phi[y,x] phi[j,i]
        let tot = out (refl (y-1)) x + out (refl (y+1)) x + out y (x-1) + out y (x+1)
        in f32.max 1e-6 (c[y,x] - dt * (tot + r[y,x])))
  in loop (phi, n, p) = (replicate h (replicate w 0), n0, p0) for _k < steps do
       let phi = poisson phi n p
       let r = map2 (map2 (\a b -> 0.05 * (a*b - 0.01))) n p
       in (phi, carry (-1) n phi r, carry 1 p phi r)
