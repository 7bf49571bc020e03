-- Lennard-Jones crystal with fixed neighbours (the 26 around a lattice site), velocity Verlet, periodic.
module vec = {
  type t = (f32, f32, f32)
  def zero : t = (0, 0, 0)
  def add ((a, b, c): t) ((x, y, z): t) : t = (a + x, b + y, c + z)
  def axpy (s: f32) ((a, b, c): t) ((x, y, z): t) : t = (s * a + x, s * b + y, s * c + z)
  def dot ((a, b, c): t) ((x, y, z): t) : f32 = a * x + b * y + c * z
}

def spacing : f32 = 1.15

-- Displacements u from the lattice sites are the unknowns.
def forces [n][m][k] (u: [n][m][k]vec.t) : [n][m][k]vec.t =
  tabulate_3d n m k (\x y z ->
    loop f = vec.zero for o < 27 do
      if o == 13 then f
      else
        let (dx, dy, dz) = (o / 9 - 1, o / 3 % 3 - 1, o % 3 - 1)
        let v = u[(x + dx + n) % n, (y + dy + m) % m, (z + dz + k) % k]
        let base = (spacing * f32.i64 dx, spacing * f32.i64 dy, spacing * f32.i64 dz)
        let r = vec.add base (vec.axpy (-1) u[x, y, z] v)
        let i2 = 1 / vec.dot r r
        let i6 = i2 * i2 * i2
        in vec.axpy (-24 * i2 * i6 * (2 * i6 - 1)) r f)

entry main [n][m][k] (steps: i64) (dt: f32) (px: [n][m][k]f32) (py: [n][m][k]f32) (pz: [n][m][k]f32) : ([n][m][k]f32, [n][m][k]f32, [n][m][k]f32, f32) =
  let u0 = map3 (map3 (map3 (\x y z -> (0.1 * x, 0.1 * y, 0.1 * z)))) px py pz
  let kick s = map2 (map2 (map2 (\f v -> vec.axpy s f v)))
  let (u, v, _) =
    loop (u, v, f) = (u0, replicate n (replicate m (replicate k vec.zero)), forces u0) for _i < steps do
      let v = kick (dt / 2) f v
      let u = kick dt v u
      let f = forces u
      in (u, kick (dt / 2) f v, f)
  let energy = f32.sum (map (\w -> 0.5 * vec.dot w w) (flatten_3d v)) / f32.i64 (n * m * k)
  in (map (map (map (.0))) u, map (map (map (.1))) u, map (map (map (.2))) u, energy)
