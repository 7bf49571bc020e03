-- Electrostatic particles in a periodic square: charge laid down bilinearly, Poisson's equation by Jacobi sweeps from the last potential, forces gathered the same way, leapfrog; energies over time.
type particle = { x: f32, y: f32, u: f32, v: f32 }

-- The four grid places about a position and their weights.
def corners (g: i64) (p: particle): ([4]i64, [4]f32) =
  let (i, j) = (i64.f32 p.x, i64.f32 p.y)
  let (tx, ty) = (p.x - f32.i64 i, p.y - f32.i64 j)
  let (i, j) = (i % g, j % g)
  let (i1, j1) = ((i + 1) % g, (j + 1) % g)
  in ([j*g + i, j*g + i1, j1*g + i, j1*g + i1], [(1-tx)*(1-ty), tx*(1-ty), (1-tx)*ty, tx*ty])

entry main [n] (g: i64) (steps: i64) (dt: f32) (x: [n]f32) (y: [n]f32) (u: [n]f32) (v: [n]f32)
    : ([steps]f32, [steps]f32, [g][g]f32, [n]f32, [n]f32) =
  let size = f32.i64 g
  let wrap (a: f32) = let b = if a < 0 then a + size else if a >= size then a - size else a in f32.max 0 (f32.min b (size - 1e-3))
  let start = map4 (\x y u v -> { x = wrap (x*size), y = wrap (y*size), u = u - 0.5, v = v - 0.5 }) x y u v
  let background = f32.i64 n / (size * size)
  let (ps, phi, kin, pot) =
    loop (ps, phi, kin, pot) = (start, replicate g (replicate g 0), replicate steps 0, replicate steps 0) for t < steps do
      let (is, ws) = unzip (map (corners g) ps)
      let rho = reduce_by_index (replicate (g*g) 0) (+) 0 (flatten is) (flatten ws)
                |> map (\r -> r / background - 1) |> unflatten
      let sweep phi = tabulate_2d g g (\j i ->
        (phi[(j+1) % g, i] + phi[(j+g-1) % g, i] + phi[j, (i+1) % g] + phi[j, (i+g-1) % g] + rho[j, i]) / 4)
      let phi = iterate 30 sweep phi
      let e = tabulate_2d g g (\j i -> ((phi[j, (i+g-1) % g] - phi[j, (i+1) % g]) / 2, (phi[(j+g-1) % g, i] - phi[(j+1) % g, i]) / 2))
      let flat = flatten e
      let push p =
        let (is, ws) = corners g p
        let (ex, ey) = loop (ex, ey) = (0, 0) for k < 4 do
          let (a, b) = flat[is[k]] in (ex + ws[k]*a, ey + ws[k]*b)
        let (u, v) = (p.u - dt*ex, p.v - dt*ey)
        in { x = wrap (p.x + dt*u), y = wrap (p.y + dt*v), u, v }
      let ps = map push ps
      let k = f32.sum (map (\p -> 0.5*(p.u*p.u + p.v*p.v)) ps) / f32.i64 n
      let w = f32.sum (map (\(a, b) -> 0.5*(a*a + b*b)) flat) / f32.i64 (g*g)
      in (ps, phi, kin with [t] = k, pot with [t] = w)
  in (kin, pot, phi, map (.x) ps, map (.y) ps)
