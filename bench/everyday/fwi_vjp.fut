-- Full-waveform inversion gradient: vjp of the data misfit of a 2-D acoustic simulation with respect to the squared-velocity model, with periodic sides.
def simulate [h][w] (t: i64) (m: [h][w]f32) : [t][w]f32 =
  let u0 = replicate h (replicate w 0f32)
  let (_, _, rec) =
    loop (u, um, rec) = (u0, copy u0, replicate t (replicate w 0f32)) for k < t do
      let src = f32.exp (-0.05 * (f32.i64 k - 6) ** 2)
      let un = tabulate_2d h w (\y x ->
        let up = if y == 0 then 0 else u[y-1,x]
        let dn = if y == h-1 then 0 else u[y+1,x]
        let lap = up + dn + u[y,(x-1) % w] + u[y,(x+1) % w] - 4 * u[y,x]
        let s = if y == h/2 && x % 64 == 5 then src else 0
        in 2 * u[y,x] - um[y,x] + m[y,x] * lap + s)
      in (un, u, rec with [k] = copy un[h/4])
  in rec

entry main [h][w][t] (model: [h][w]f32) (obs: [t][w]f32) : (f32, [h][w]f32) =
  let m0 = map (map (\v -> 0.1 + 0.2 * v)) model
  let misfit m =
    let d = simulate t m
    in 0.5 * f32.sum (flatten (map2 (map2 (\a b -> (a - 0.1 * b) ** 2)) d obs))
  in (misfit m0, vjp misfit m0 1)
