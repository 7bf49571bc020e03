-- An E(n)-equivariant graph layer: messages from features and squared distances update both coordinates and features.
type v3 = {x: f32, y: f32, z: f32}
def sub (a: v3) (b: v3) : v3 = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def add (a: v3) (b: v3) : v3 = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def scale (s: f32) (a: v3) : v3 = {x = s * a.x, y = s * a.y, z = s * a.z}
def norm2 (a: v3) : f32 = a.x * a.x + a.y * a.y + a.z * a.z

def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)
def silu (x: f32) : f32 = x / (1 + f32.exp (-x))

entry main [n][k][f][m] (neigh: [n][k]i32) (pos: [n][3]f32) (h: [n][f]f32)
                        (wi: [m][f]f32) (wj: [m][f]f32) (wd: [m]f32) (wx: [m]f32) (wh: [f][m]f32)
    : ([n][3]f32, [n][f]f32) =
  let p = map (\r -> {x = r[0], y = r[1], z = r[2]}) pos
  let hi = map (\r -> map (dot r) wi) h
  let hj = map (\r -> map (\w -> dot r w - 0.5 * f32.sum w) wj) h
  let node i =
    let edges = map (\j ->
                       let j = i64.i32 (j & 0x7fffffff) % n
                       let diff = sub p[i] p[j]
                       let msg = map3 (\a b w -> silu (0.3 * a - 0.3 * b - w * norm2 diff)) hi[i] hj[j] wd
                       in (msg, scale (f32.tanh (dot msg wx)) diff))
                    neigh[i]
    let (msgs, moves) = unzip edges
    let move = scale (1 / f32.i64 k) (reduce add {x = 0, y = 0, z = 0} moves)
    let total = map f32.sum (transpose msgs)
    let new = map2 (\a w -> a + dot total w / f32.i64 (k * m)) h[i] wh
    in (add p[i] move, new)
  let (q, g) = unzip (tabulate n node)
  in (map (\v -> [v.x, v.y, v.z]) q, g)
