-- Lattice Boltzmann D3Q19: pull streaming on a torus, bounce-back at solid cells, one relaxation time, a body force along x; density and speed at the end.
def c: [19][3]i64 =
  [ [0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]
  , [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 0, 1], [-1, 0, -1]
  , [1, 0, -1], [-1, 0, 1], [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1] ]

def weight (q: i64): f32 = if q == 0 then 1 / 3 else if q < 7 then 1 / 18 else 1 / 36

def opposite (q: i64): i64 = if q == 0 then 0 else if q % 2 == 1 then q + 1 else q - 1

def moments (f: [19]f32): (f32, f32, f32, f32) =
  loop (rho, ux, uy, uz) = (0, 0, 0, 0) for q < 19 do
    (rho + f[q], ux + f[q] * f32.i64 c[q, 0], uy + f[q] * f32.i64 c[q, 1], uz + f[q] * f32.i64 c[q, 2])

def wrap (n: i64) (i: i64) = if i < 0 then i + n else if i >= n then i - n else i

def collide (omega: f32) (force: f32) (f: [19]f32): [19]f32 =
  let (rho, mx, my, mz) = moments f
  let (ux, uy, uz) = (mx / rho + force / omega, my / rho, mz / rho)
  let square = 1.5 * (ux * ux + uy * uy + uz * uz)
  in map2 (\q fq -> let e = 3 * (f32.i64 c[q, 0] * ux + f32.i64 c[q, 1] * uy + f32.i64 c[q, 2] * uz)
                    in fq + omega * (weight q * rho * (1 + e + 0.5 * e * e - square) - fq))
          (iota 19) f

entry main [d][h][w] (steps: i32) (omega: f32) (force: f32) (noise: [19][d][h][w]f32) (rock: [d][h][w]u8)
  : ([d][h][w]f32, [d][h][w]f32) =
  let solid = map (map (map (< 40))) rock
  let start = map2 (\q plane -> map (map (map (\e -> weight q * (1 + 0.8 * (e - 0.5))))) plane) (iota 19) noise
  let final =
    loop f = start for _i < steps do
      let moved =
        tabulate_3d d h w (\z y x ->
          let incoming = tabulate 19 (\q -> f[q, wrap d (z - c[q, 2]), wrap h (y - c[q, 1]), wrap w (x - c[q, 0])])
          in if solid[z, y, x]
             then tabulate 19 (\q -> incoming[opposite q])
             else collide omega force incoming)
      in tabulate 19 (\q -> map (map (map (\a -> a[q]))) moved)
  let m = tabulate_3d d h w (\z y x -> moments (tabulate 19 (\q -> final[q, z, y, x])))
  in (map (map (map (.0))) m, map (map (map (\(rho, a, b, e) -> f32.sqrt (a * a + b * b + e * e) / rho))) m)
