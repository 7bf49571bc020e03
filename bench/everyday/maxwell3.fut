-- Maxwell's equations on Yee's grid in space: six fields, dielectric from bytes, conducting walls, a pulsed dipole within; energy and the field at a probe over time.
type vec3 = (f32, f32, f32)
type~ field [d][h][w] = [d][h][w]vec3

def magnetic [d][h][w] (c: f32) (e: field [d][h][w]) (hf: field [d][h][w]): field [d][h][w] =
  tabulate_3d d h w (\z y x ->
    let (ex, ey, ez) = e[z, y, x]
    let ahead n i = i64.min (n-1) (i+1)
    let ez' = e[z, ahead h y, x]
    let ex' = e[ahead d z, y, x]
    let ey' = e[z, y, ahead w x]
    let (a, b, g) = hf[z, y, x]
    in (a - c*((ez'.2 - ez) - (ex'.1 - ey)),
        b - c*((ex'.0 - ex) - (ey'.2 - ez)),
        g - c*((ey'.1 - ey) - (ez'.0 - ex))))

def electric [d][h][w] (c: f32) (eps: [d][h][w]f32) (e: field [d][h][w]) (hf: field [d][h][w]): field [d][h][w] =
  tabulate_3d d h w (\z y x ->
    if z == 0 || y == 0 || x == 0 || z == d-1 || y == h-1 || x == w-1 then (0, 0, 0)
    else
      let (a, b, g) = hf[z, y, x]
      let hz = hf[z, y, x-1]
      let hy = hf[z, y-1, x]
      let hx = hf[z-1, y, x]
      let k = c / eps[z, y, x]
      let (ex, ey, ez) = e[z, y, x]
      in (ex + k*((g - hy.2) - (b - hx.1)), ey + k*((a - hx.0) - (g - hz.2)), ez + k*((b - hz.1) - (a - hy.0))))

entry main [d][h][w] (steps: i64) (material: [d][h][w]u8): ([d][h][w]f32, [steps]f32, f32) =
  let eps = map (map (map (\m -> if m > 200 then 4f32 else 1))) material
  let zero = replicate d (replicate h (replicate w (0f32, 0f32, 0f32)))
  let c = 0.5
  let (e, hf, probe) =
    loop (e, hf, probe) = (zero, copy zero, replicate steps 0) for t < steps do
      let hf = magnetic c e hf
      let e = electric c eps e hf
      let s = f32.i64 (t - 12) / 5
      let (ex, ey, ez) = e[d/2, h/2, w/2]
      let e = copy e with [d/2, h/2, w/2] = (ex, ey, ez + f32.exp (-s*s))
      in (e, hf, probe with [t] = e[d/2, h/3, w/3].2)
  let sq (a, b, c) : f32 = a*a + b*b + c*c
  let energy = map3 (\e k m -> 0.5*(k * sq e + sq m)) (flatten_3d e) (flatten_3d eps) (flatten_3d hf)
  in (map (map (map (.2))) e, probe, f32.sum energy)
