-- Inner kernels of HPC mini-apps.

type vec3 = { x: f64, y: f64, z: f64 }

module v3 = {
  def add (a: vec3) (b: vec3) : vec3 = { x = a.x + b.x, y = a.y + b.y, z = a.z + b.z }
  def sub (a: vec3) (b: vec3) : vec3 = { x = a.x - b.x, y = a.y - b.y, z = a.z - b.z }
  def scale (s: f64) (a: vec3) : vec3 = { x = s * a.x, y = s * a.y, z = s * a.z }
  def dot (a: vec3) (b: vec3) = a.x * b.x + a.y * b.y + a.z * b.z
  def cross (a: vec3) (b: vec3) : vec3 =
    { x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x }
  def triple a b c = dot a (cross b c)
  def zero : vec3 = { x = 0, y = 0, z = 0 }
  def of (r: [3]f64) : vec3 = { x = r[0], y = r[1], z = r[2] }
}

-- LULESH: volumes of hexahedra, and pressure forces on nodes as their derivatives.
def hex_volume (p: [8]vec3) : f64 =
  let d i j = v3.sub p[i] p[j]
  in (v3.triple (v3.add (d 3 1) (d 7 2)) (d 6 3) (d 2 0)
      + v3.triple (v3.add (d 4 3) (d 5 7)) (d 6 4) (d 7 0)
      + v3.triple (v3.add (d 1 4) (d 2 5)) (d 6 1) (d 5 0)) / 12

entry lulesh_force [n][e] (nodes: [n][3]f64) (conn: [e][8]i32) (p: [e]f64) : ([e]f64, [n]f64, [n]f64, [n]f64) =
  let elem c p =
    let corners = map (\i -> v3.of nodes[i]) c
    in (hex_volume corners, map (v3.scale p) (vjp hex_volume corners 1))
  let (vols, forces) = unzip (map2 elem conn p)
  let total = reduce_by_index (replicate n v3.zero) v3.add v3.zero
                              (map i64.i32 (flatten conn)) (flatten forces)
  in (vols, map (.x) total, map (.y) total, map (.z) total)

-- miniFE: conduction on bricks, assembled into rows of 27 neighbours.
def shape_grads (h: [3]f64) (xi: [3]f64) : [8][3]f64 =
  tabulate 8 (\a ->
    let s = [f64.i64 (a & 1) * 2 - 1, f64.i64 (a / 2 & 1) * 2 - 1, f64.i64 (a / 4) * 2 - 1]
    let f k = 1 + s[k] * xi[k]
    in [s[0] * f 1 * f 2 / (4 * h[0]), f 0 * s[1] * f 2 / (4 * h[1]), f 0 * f 1 * s[2] / (4 * h[2])])

def brick_stiffness (h: [3]f64) (kappa: f64) : [8][8]f64 =
  let gp = 0.5773502691896258
  in loop K = replicate 8 (replicate 8 0) for q < 8 do
       let c b = if (q >> b) & 1 == 1 then gp else -gp
       let g = shape_grads h [c 0, c 1, c 2]
       let w = kappa * h[0] * h[1] * h[2] / 8
       in tabulate_2d 8 8 (\i j -> K[i, j] + w * f64.sum (map2 (*) g[i] g[j]))



-- CoMD: forces of smoothly cut pairs from the 27 cells around, atoms at offsets in unit cells.
entry comd_force [g][k] (cut: f32) (counts: [g][g][g]u8) (offs: [g][g][g][k][3]f32) : ([g][g][g][k][3]f32, f64) =
  let rc2 = cut * cut
  let count i j l = i64.min k (i64.u8 counts[i, j, l])
  let atom x y z (me: i64) : ([3]f32, f32) =
    if me >= count x y z then ([0, 0, 0], 0)
    else
      let o = offs[x, y, z, me]
      let (fx, fy, fz, e) =
        loop acc = (0, 0, 0, 0) for c < 27 do
          let (dx, dy, dz) = (c / 9 - 1, c / 3 % 3 - 1, c % 3 - 1)
          let (i, j, l) = ((x + dx) % g, (y + dy) % g, (z + dz) % g)
          in loop (fx, fy, fz, e) = acc for q < count i j l do
               let p = offs[i, j, l, q]
               let rx = o[0] - p[0] - f32.i64 dx
               let ry = o[1] - p[1] - f32.i64 dy
               let rz = o[2] - p[2] - f32.i64 dz
               let r2 = rx * rx + ry * ry + rz * rz
               in if r2 >= rc2 || (c == 13 && q == me) then (fx, fy, fz, e)
                  else let s = 1 / (r2 + 0.1)
                       let s6 = s * s * s
                       let w = (1 - r2 / rc2) ** 2
                       let f = w * (2 * s6 - 1) * s6 * s
                       in (fx + f * rx, fy + f * ry, fz + f * rz, e + w * s6 * (s6 - 1))
      in ([fx, fy, fz], 0.5 * e)
  let per = tabulate_3d g g g (\x y z -> unzip (tabulate k (atom x y z)))
  let forces = map (map (map (.0))) per
  let energy = map (map (\(r: [g]([k][3]f32, [k]f32)) -> map (\t -> f64.sum (map f64.f32 t.1)) r)) per
  in (forces, f64.sum (map f64.sum (map (map f64.sum) energy)))

-- HPCCG: conjugate gradients with the 27-point operator, never stored.
entry hpccg [a][b][c] (iters: i32) (rhs: [a][b][c]f64) : ([a][b][c]f64, f64) =
  let dot (u: [a][b][c]f64) (v: [a][b][c]f64) = f64.sum (map2 (*) (flatten_3d u) (flatten_3d v))
  let axpy s = map2 (map2 (map2 (\u v -> u + s * v)))
  let apply (u: [a][b][c]f64) =
    let get i j k = if i >= 0 && i < a && j >= 0 && j < b && k >= 0 && k < c then u[i, j, k] else 0
    in tabulate_3d a b c (\i j k ->
         let around = loop s = 0 for q < 27 do
                        s + get (i + q / 9 - 1) (j + q / 3 % 3 - 1) (k + q % 3 - 1)
         in 28 * u[i, j, k] - around)
  let zero = replicate a (replicate b (replicate c 0))
  let (x, _, _, rr) =
    loop (x, r, p, rr) = (zero, rhs, rhs, dot rhs rhs) for _i < iters do
      let ap = apply p
      let alpha = rr / (dot p ap + 1e-300)
      let r' = axpy (-alpha) r ap
      let rr' = dot r' r'
      in (axpy alpha x p, r', axpy (rr' / (rr + 1e-300)) r' p, rr')
  in (x, f64.sqrt rr)

-- XSBench: macroscopic cross sections; each nuclide of a material is searched and interpolated.
def search_below [n] (xs: [n]f64) (x: f64) : i64 =
  (loop (lo, hi) = (0, n - 1) while hi - lo > 1 do
     let mid = (lo + hi) / 2
     in if xs[mid] > x then (lo, mid) else (mid, hi)).0

entry xs_lookup [g][u][m][k][l] (grid: [g]f64) (shifts: [u]f64) (xs: [u][g][5]f64)
                (mats: [m][k]i32) (dens: [m][k]f64) (energy: [l]f64) (mat: [l]i32) : ([l][5]f64, [5]f64) =
  let lookup e mt =
    loop acc = replicate 5 0 for q < k do
      let nuc = mats[mt, q]
      let e' = e * shifts[nuc]
      let i = search_below grid e'
      let f = f64.max 0 (f64.min 1 ((e' - grid[i]) / (grid[i+1] - grid[i] + 1e-12)))
      in map3 (\s lo hi -> s + dens[mt, q] * (lo + f * (hi - lo))) acc xs[nuc, i] xs[nuc, i+1]
  let macro = map2 lookup energy mat
  in (macro, map f64.sum (transpose macro))

-- RSBench: windowed poles with complex arithmetic in place of tables.
entry rs_lookup [u][p][l] (windows: i64) (pole_re: [u][p]f64) (pole_im: [u][p]f64)
                (res: [u][p][2]f64) (energy: [l]f64) (nuc: [l]i32) : ([l]f64, [l]f64) =
  let per = p / windows
  let lookup e nu =
    let w = i64.min (windows - 1) (i64.f64 (e * f64.i64 windows))
    let sq = f64.sqrt e
    let (t, a) =
      loop (t, a) = (0, 0) for j < per do
        let q = w * per + j
        -- res / (pole - sqrt e)
        let (dr, di) = (pole_re[nu, q] - sq, pole_im[nu, q])
        let den = dr * dr + di * di
        let (rr, ri) = (res[nu, q, 0], res[nu, q, 1])
        let (zr, zi) = ((rr * dr + ri * di) / den, (ri * dr - rr * di) / den)
        let ph = 2 * sq * rr
        let (c, s) = (f64.cos ph, f64.sin ph)
        in (t + zr * c - zi * s, a + zi * c + zr * s)
    in (t / e, a / e)
  in unzip (map2 lookup energy nuc)

-- SimpleMOC: angular flux attenuated along tracks, scalar flux tallied by region.
entry moc_attenuate [t][s][r][g] (len: [t][s]f32) (region: [t][s]i32) (sigma: [r][g]f32) (src: [r][g]f32)
    : ([t][g]f32, [r][g]f32) =
  let track (ls: [s]f32) (rs: [s]i32) =
    let along gi =
      loop (psi, out) = (0, replicate s 0) for i < s do
        let sg = sigma[rs[i], gi]
        let q = src[rs[i], gi] / sg
        let delta = (psi - q) * (1 - f32.exp (-sg * ls[i]))
        in (psi - delta, out with [i] = delta)
    in unzip (map along (iota g))
  let (psi, deltas) = unzip (map2 track len region)
  let by_seg = flatten (map transpose deltas)
  let tally = reduce_by_index (replicate r (replicate g 0)) (map2 (+)) (replicate g 0)
                              (map i64.i32 (flatten region)) by_seg
  in (psi, tally)

-- SNAP: sweep of a plane along its diagonals, all angles at once, from two corners.
entry snap_sweep [na][nx][ny] (mu: [na]f64) (eta: [na]f64) (sigt: [nx][ny]f64) (q: [nx][ny]f64) : ([nx][ny]f64, [na]f64) =
  let sweep (sigt: [nx][ny]f64) (q: [nx][ny]f64) : [na][nx][ny]f64 =
    let angle mu eta =
      loop psi = replicate nx (replicate ny 0) for d < nx + ny - 1 do
        let cell i =
          let j = d - i
          in if j < 0 || j >= ny then ((-1, -1), 0)
             else let inx = if i > 0 then psi[i-1, j] else 1
                  let iny = if j > 0 then psi[i, j-1] else 0
                  in ((i, j), (q[i, j] + mu * inx + eta * iny) / (sigt[i, j] + mu + eta))
        let (is, vs) = unzip (map cell (iota nx))
        in scatter_2d psi is vs
    in map2 angle mu eta
  let flip (a: [nx][ny]f64) = reverse (map reverse a)
  let there = sweep sigt q
  let back = map flip (sweep (flip sigt) (flip q))
  let both = map2 (map2 (map2 (+))) there back
  let phi = map (map f64.sum) (map transpose (transpose both))
  in (phi, map (\p -> f64.sum (map f64.sum p)) both)

-- Kripke: moments of the flux, scattering between groups, and back to directions.
entry kripke [dn][gn][zn][mn] (ell: [mn][dn]f32) (psi: [dn][gn][zn]f32) (scat: [mn][gn][gn]f32) : ([mn][gn][zn]f32, [dn][gn][zn]f32) =
  let sum [k] (xs: [k]f32) = reduce (+) 0 xs
  let by_gz = map transpose (transpose psi)
  let phi = map (\row -> map (map (\ps -> sum (map2 (*) row ps))) by_gz) ell
  let src = map2 (\s p -> map (\to -> map (\col -> sum (map2 (*) to col)) (transpose p)) s) scat phi
  let out = map (\row -> tabulate_2d gn zn (\g z -> sum (map2 (\w (s: [gn][zn]f32) -> w * s[g, z]) row src))) (transpose ell)
  in (phi, out)

-- AMG: residual with a CSR matrix whose rows lie between sorted starts, then restriction to aggregates.
entry amg_restrict [n][nnz] (nc: i64) (starts: [n]i32) (cols: [nnz]i32) (vals: [nnz]f64) (x: [n]f64) (b: [n]f64) (agg: [n]i32)
    : ([n]f64, [nc]f64, [nc]f64) =
  let r =
    map3 (\i s bi ->
      let e = if i + 1 < n then starts[i+1] else i32.i64 nnz
      in loop acc = bi for j in s..<e do acc - vals[j] * x[cols[j]]) (iota n) starts b
  let where = map (\a -> i64.i32 a % nc) agg
  let rc = reduce_by_index (replicate nc 0) (+) 0 where r
  let sizes = hist (+) 0i32 nc where (replicate n 1)
  let peak = reduce_by_index (replicate nc 0) f64.max 0 where (map f64.abs r)
  in (map2 (\c k -> if k > 0 then c / f64.i32 k else 0) rc sizes |> \m -> map2 (\a v -> v - m[a]) where r, rc, peak)

-- Nekbone: the tensor-product Laplacian of each spectral element.
entry nekbone_ax [e][n] (D: [n][n]f64) (geo: [e][n][n][n]f64) (u: [e][n][n][n]f64) : [e][n][n][n]f64 =
  let along (A: [n][n]f64) (u: [n][n][n]f64) axis =
    tabulate_3d n n n (\i j k ->
      f64.sum (tabulate n (\l ->
        if axis == 0i32 then A[i, l] * u[l, j, k]
        else if axis == 1 then A[j, l] * u[i, l, k]
        else A[k, l] * u[i, j, l])))
  let Dt = transpose D
  let ax geo u =
    let part axis = along Dt (map2 (map2 (map2 (*))) geo (along D u axis)) axis
    in map3 (map3 (map3 (\a b c -> a + b + c))) (part 0) (part 1) (part 2)
  in map2 ax geo u

-- CloverLeaf: advection of density and energy along x with van Leer's limiter, then along y.
entry clover_advec [n][m] (dt: f64) (rho: [n][m]f64) (en: [n][m]f64) (vx: [n][m]f64) (vy: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  let limited a b c =
    -- half the limited slope at b, upwind a and downwind c
    let (l, r) = (b - a, c - b)
    in if l * r > 0 then l * r / (l + r) else 0
  let line [k] (rho: [k]f64) (en: [k]f64) (v: [k]f64) : ([k]f64, [k]f64) =
    let face i =
      let at (q: [k]f64) j = q[j % k]
      let s = dt * v[i]
      let (up, donor, down) = if s > 0 then (i - 2, i - 1, i) else (i + 1, i, i - 1)
      let mass = s * (at rho donor + (1 - f64.abs s) * limited (at rho up) (at rho donor) (at rho down))
      in (mass, mass * (at en donor + (1 - f64.abs s) * limited (at en up) (at en donor) (at en down)))
    let (fm, fe) = unzip (map face (iota k))
    let (gm, ge) = (rotate 1 fm, rotate 1 fe)
    let rho' = map3 (\r a b -> r + a - b) rho fm gm
    in (rho', tabulate k (\i -> (rho[i] * en[i] + fe[i] - ge[i]) / rho'[i]))
  let (r1, e1) = unzip (map3 line rho en vx)
  let (r2, e2) = unzip (map3 line (transpose r1) (transpose e1) (transpose vy))
  in (transpose r2, transpose e2)

-- Quicksilver: particles flown through slabs until absorbed or out, collisions and path lengths tallied.
entry qs_track [n][c] (maxev: i32) (seeds: [n]u32) (x0: [n]f64) (sigma: [c]f64) (absorb: [c]f64) : ([c]i32, [c]f64, [n]u8) =
  let next (s: u32) = s * 1664525 + 1013904223
  let unit (s: u32) = (f64.u32 (s >> 8) + 0.5) / 16777216
  let fly s x =
    let cell0 = i64.max 0 (i64.min (c - 1) (i64.f64 (x * f64.i64 c)))
    let (coll, path, _, _, _, _, alive, ev) =
      loop (coll, path, s, x, cell, mu, alive, ev) =
           (replicate c 0i32, replicate c 0f64, next s, x * f64.i64 c, cell0, 2 * unit s - 1, true, 0)
      while alive && ev < maxev do
        let s1 = next s
        let free = -f64.log (unit s1) / sigma[cell]
        let wall = if mu > 0 then f64.i64 (cell + 1) else f64.i64 cell
        let to_wall = f64.abs ((wall - x) / mu)
        let d = f64.min free to_wall
        let path = path with [cell] = path[cell] + d
        in if free < to_wall
           then let s2 = next s1
                let s3 = next s2
                in (coll with [cell] = coll[cell] + 1, path, s3, x + mu * free, cell,
                    2 * unit s3 - 1, unit s2 > absorb[cell], ev + 1)
           else let cell' = if mu > 0 then cell + 1 else cell - 1
                let inside = cell' >= 0 && cell' < c
                in (coll, path, s1, wall, if inside then cell' else cell, mu, inside, ev + 1)
    in (coll, path, u8.i32 (2 * ev) + u8.bool alive)
  let (colls, paths, fates) = unzip3 (map2 fly seeds x0)
  in (reduce (map2 (+)) (replicate c 0) colls, reduce (map2 (+)) (replicate c 0) paths, fates)
