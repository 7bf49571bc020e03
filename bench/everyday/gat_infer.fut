-- Graph attention network, two layers of several heads, softmax over the incoming edges of each node; class per node.
def dot [k] (a: [k]f32) (b: [k]f32) = f32.sum (map2 (*) a b)
def matmul [n][k][m] (a: [n][k]f32) (b: [k][m]f32) = map (\r -> map (dot r) (transpose b)) a
def leaky (x: f32) = if x > 0 then x else 0.2 * x
def elu (x: f32) = if x > 0 then x else f32.exp x - 1

def fold_by 't [m] (n: i64) (op: t -> t -> t) (ne: t) (is: [m]i64) (vs: [m]t) : [n]t =
  reduce_by_index (replicate n ne) op ne is vs

type head [d][h] = {w: [d][h]f32, al: [h]f32, ar: [h]f32}

def attend [n][m][d][h] (src: [m]i64) (dst: [m]i64) (x: [n][d]f32) (p: head [d][h]) : [n][h]f32 =
  let z = matmul x p.w
  let left = map (dot p.al) z
  let right = map (dot p.ar) z
  let score = map2 (\s t -> leaky (left[s] + right[t])) src dst
  let top = fold_by n f32.max (-1e30) dst score
  let e = map2 (\t s -> f32.exp (s - top[t])) dst score
  let total = fold_by n (+) 0 dst e
  let alpha = map2 (\t v -> v / (total[t] + 1e-6)) dst e
  let column c = fold_by n (+) 0 dst (map2 (\s a -> a * c[s]) src alpha)
  in transpose (map column (transpose z))

def wrap (n: i64) (v: i32) = i64.i32 (v & 0x7fffffff) % n

-- Smoothing of the classes along the edges, each node keeping a part of its own.
def propagate [n][m][c] (rounds: i32) (keep: f32) (src: [m]i64) (dst: [m]i64) (p: [n][c]f32) : [n][c]f32 =
  let degree = hist (+) 0f32 n dst (replicate m 1)
  let column own =
    loop q = own for _r < rounds do
      let got = fold_by n (+) 0 dst (map (\s -> q[s]) src)
      in map3 (\o g d -> if d > 0 then keep * o + (1 - keep) * g / d else o) own got degree
  in transpose (map column (transpose p))

entry main [n][m][d][k][h][c] (src: [m]i32) (dst: [m]i32) (x: [n][d]f32)
                              (w1: [k][d][h]f32) (a1: [k][2][h]f32) (w2: [h][c]f32) (a2: [2][c]f32) : ([n][c]f32, [n][c]f32, [c]f32) =
  let s = map (wrap n) src
  let t = map (wrap n) dst
  let centre [q] (l: i64) (r: [q]f32) = map (\v -> (v - 0.5f32) * 2 / f32.sqrt (f32.i64 l)) r
  let heads = map2 (\w a -> attend s t x {w = map (centre d) w, al = centre 1 a[0], ar = centre 1 a[1]}) w1 a1
  let hidden = reduce_comm (map2 (map2 (+))) (replicate n (replicate h 0)) heads |> map (map (\v -> elu (v / f32.i64 k)))
  let out = attend s t hidden {w = map (centre h) w2, al = centre 1 a2[0], ar = centre 1 a2[1]}
  let prob r =
    let z = map f32.exp r
    let q = f32.sum z
    in map (/ q) z
  let p = map prob out
  let smooth = propagate 3 0.5 s t p
  let share = map (\col -> f32.sum col / f32.i64 n) (transpose p)
  in (p, smooth, share)
