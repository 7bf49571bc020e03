-- Particle-mesh density: cloud-in-cell deposit of particles on a periodic cube, and the density contrast.
entry main [n] (g: i64) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) : ([g][g][g]f32, f32) =
  let split (x: f32) =
    let s = x * f32.i64 g
    let i = i64.min (g - 1) (i64.f32 s)
    in (i, s - f32.i64 i)
  let corner (k: i64) x y z =
    let (i, fx) = split x
    let (j, fy) = split y
    let (l, fz) = split z
    let (a, b, c) = (k & 1, (k >> 1) & 1, k >> 2)
    let pick b f = if b == 1 then f else 1 - f
    in (((i + a) % g * g + (j + b) % g) * g + (l + c) % g,
        pick a fx * pick b fy * pick c fz)
  let rho = loop rho = replicate (g * g * g) 0f32 for k < 8 do
              let (at, mass) = unzip (map3 (corner k) xs ys zs)
              in reduce_by_index rho (+) 0 at mass
  let mean = f32.i64 n / f32.i64 (g * g * g)
  let delta = map (\r -> r / mean - 1) rho
  let var = f32.sum (map (\d -> d * d) delta) / f32.i64 (g * g * g)
  in (unflatten_3d delta, var)
