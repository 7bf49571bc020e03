-- Elastic P-SV waves (Virieux' staggered grid, fourth order): two velocities and three stresses, a layered random medium, sponge at the sides, free surface above; a seismogram of the top row.
def zero_at [h][w] (a: [h][w]f32) (y: i64) (x: i64) = if y < 0 || x < 0 || y >= h || x >= w then 0 else a[y, x]

def c1 : f32 = 1.125
def c2 : f32 = -0.041666667
-- Derivatives half a cell forward and backward.
def dxf a y x = c1*(zero_at a y (x+1) - zero_at a y x) + c2*(zero_at a y (x+2) - zero_at a y (x-1))
def dxb a y x = dxf a y (x-1)
def dyf a y x = c1*(zero_at a (y+1) x - zero_at a y x) + c2*(zero_at a (y+2) x - zero_at a (y-1) x)
def dyb a y x = dyf a (y-1) x

entry main [h][w] (steps: i64) (dt: f32) (rock: [h][w]f32): ([h][w]f32, [h][w]f32, [steps][w]f32) =
  let layer y = f32.i64 (4*y/h)
  let mu = tabulate_2d h w (\y x -> 0.4 + 0.15*layer y + 0.1*rock[y, x])
  let lam = tabulate_2d h w (\y x -> 0.5 + 0.2*layer y + 0.1*rock[y, x])
  let damp y x =
    let edge = f32.i64 (i64.min (i64.min x (w-1-x)) (h-1-y))
    in if edge >= 16 then 1 else let t = (16 - edge)*0.015 in f32.exp (-t*t)
  let dampers = tabulate_2d h w damp
  let source (t: i64) = let a = 0.08*f32.i64 t - 1.2 in (1 - 2*a*a) * f32.exp (-a*a)
  let grid f = tabulate_2d h w f
  let zero () = grid (\_ _ -> 0f32)
  let (vx, vz, _, _, _, seis) =
    loop (vx, vz, sxx, szz, sxz, seis) = (zero (), zero (), zero (), zero (), zero (), replicate steps (replicate w 0)) for t < steps do
      let vx' = grid (\y x -> dampers[y, x] * (vx[y, x] + dt*(dxb sxx y x + dyb sxz y x)))
      let vz' = grid (\y x -> dampers[y, x] * (vz[y, x] + dt*(dxf sxz y x + dyf szz y x)))
      let shot y x = if y == h/4 && x == w/2 then dt * source t else 0
      let normal = grid (\y x ->
        let (ex, ez) = (dxf vx' y x, dyb vz' y x)
        let (l, m) = (lam[y, x], mu[y, x])
        in (dampers[y, x] * (sxx[y, x] + dt*((l + 2*m)*ex + l*ez)) + shot y x,
            if y == 0 then 0 else dampers[y, x] * (szz[y, x] + dt*((l + 2*m)*ez + l*ex)) + shot y x))
      let shear = grid (\y x -> dampers[y, x] * (sxz[y, x] + dt*mu[y, x]*(dyf vx' y x + dxb vz' y x)))
      in (vx', vz', map (map (.0)) normal, map (map (.1)) normal, shear, seis with [t] = vz'[0])
  in (vx, vz, seis)
