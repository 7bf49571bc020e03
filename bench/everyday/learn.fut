-- Machine learning in less usual forms.

def sum = f32.sum
def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)
def matmul [n][k][m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (dot row) (transpose b)) a
def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))
def softmax [n] (xs: [n]f32) : [n]f32 =
  let top = f32.maximum xs
  let es = map (\x -> f32.exp (x - top)) xs
  let s = sum es
  in map (/ s) es

-- The gain of the best split of each feature, by histograms of gradients.
entry tree_split [n][f] (bins: [n][f]u8) (g: [n]f64) (h: [n]f64) (lambda: f64) : ([f]f64, [f][64]f64) =
  let plus (a, b) (c, d) = (a + c, b + d)
  let score (a, b) : f64 = a * a / (b + lambda)
  let feature (col: [n]u8) =
    let sums = reduce_by_index (replicate 64 (0, 0)) plus (0, 0) (map i64.u8 col) (zip g h)
    let left = scan plus (0, 0) sums
    let all = left[63]
    let gains = map (\l -> score l + score (all.0 - l.0, all.1 - l.1) - score all) (init left :> [63](f64, f64))
    in (f64.maximum gains, map (.0) left)
  in unzip (map feature (transpose bins))

-- Attention with a bias of the clamped relative position.
entry attention_bias [h][n][d][m] (q: [h][n][d]f32) (k: [h][n][d]f32) (v: [h][n][d]f32) (bias: [h][m]f32) : [h][n][d]f32 =
  let scale = 1 / f32.sqrt (f32.i64 d)
  let head q k v (b: [m]f32) =
    let near i j = i64.min (m - 1) (i64.max 0 (j - i + m / 2))
    let scores = map2 (\i qi -> map2 (\j kj -> scale * dot qi kj + b[near i j]) (iota n) k) (iota n) q
    in matmul (map softmax scores) v
  in map4 head q k v bias

-- Attention over the edges of a graph: a softmax of the edges into each node.
entry graph_attention [n][e][d] (x: [n][d]f32) (from: [e]i32) (to: [e]i32) (asrc: [d]f32) (adst: [d]f32) : ([n][d]f32, [e]f32) =
  let src = map i64.i32 from
  let dst = map i64.i32 to
  let ps = map (dot asrc) x
  let pd = map (dot adst) x
  let leaky s = if s > 0 then s else 0.2 * s
  let scores = map2 (\s t -> leaky (ps[s] + pd[t])) src dst
  let tops = reduce_by_index (replicate n (-f32.inf)) f32.max (-f32.inf) dst scores
  let es = map2 (\s t -> f32.exp (s - tops[t])) scores dst
  let sums = reduce_by_index (replicate n 0) (+) 0 dst es
  let alpha = map2 (\x t -> x / sums[t]) es dst
  let messages = map2 (\a s -> map (* a) x[s]) alpha src
  let out = reduce_by_index (replicate n (replicate d 0)) (map2 (+)) (replicate d 0) dst messages
  in (map (map (\y -> if y > 0 then y else f32.exp y - 1)) out, alpha)

-- Bags of embeddings with weights: the loss, and the gradient of the table.
def bag [v][d][b][k] (ids: [b][k]i32) (ws: [b][k]f32) (table: [v][d]f32) : [b][d]f32 =
  map2 (\is w -> map (\j -> sum (map2 (\i a -> a * table[i64.i32 i, j]) is w)) (iota d)) ids ws

entry embedding_bag [v][d][b][k] (table: [v][d]f32) (ids: [b][k]i32) (ws: [b][k]f32) (target: [b][d]f32) : (f32, [v][d]f32) =
  let loss t =
    let out = bag ids ws t
    in f32.sum (map2 (\o y -> sum (map2 (\a b -> (a - b) * (a - b)) o y)) out target) / f32.i64 b
  in (loss table, vjp loss table 1)

-- A depthwise convolution and then a pointwise one.
entry dw_separable [c][h][w][o] (x: [c][h][w]f32) (dk: [c][3][3]f32) (pk: [o][c]f32) (bias: [o]f32) : [o][h][w]f32 =
  let depthwise (img: [h][w]f32) (ker: [3][3]f32) =
    let at i j = if i < 0 || j < 0 || i >= h || j >= w then 0 else img[i, j]
    in tabulate_2d h w (\i j ->
         sum (map (\a -> sum (map (\b -> ker[a, b] * at (i + a - 1) (j + b - 1)) (iota 3))) (iota 3)))
  let mid = map2 depthwise x dk |> map (map (map (f32.max 0)))
  let pixels = transpose (map flatten mid)
  let point (ws: [c]f32) (b0: f32) = unflatten (map (\p -> b0 + dot ws p) pixels)
  in map2 point pk bias

-- The gradient of a GRU through time.
type gru [x][d] = {wz: [x][d]f32, wr: [x][d]f32, wh: [x][d]f32}

def gru_loss [t][b][x][d] (xs: [t][b][x]f32) (goal: [b][d]f32) (u: [d][d]f32) (p: gru [x][d]) : f32 =
  let last = loop h = replicate b (replicate d 0) for i in xs do
    let uh = matmul h u
    let gate w = map2 (map2 (\a b -> sigmoid (a + b))) (matmul i w) uh
    let z = gate p.wz
    let r = gate p.wr
    let c = map3 (map3 (\a r g -> f32.tanh (a + r * g))) (matmul i p.wh) r uh
    in map3 (map3 (\a b c -> (1 - a) * b + a * c)) z h c
  in f32.sum (map2 (\h g -> sum (map2 (\a b -> (a - b) * (a - b)) h g)) last goal) / f32.i64 b

entry gru_gradient [t][b][x][d] (xs: [t][b][x]f32) (goal: [b][d]f32) (u: [d][d]f32) (wz: [x][d]f32) (wr: [x][d]f32) (wh: [x][d]f32)
    : ([x][d]f32, [x][d]f32, [x][d]f32) =
  let g = vjp (gru_loss xs goal u) {wz, wr, wh} 1
  in (g.wz, g.wr, g.wh)

-- A step of AdamW over tensors of several ranks.
def adam [n] (t: i32) (rate: f32) (p: [n]f32) (g: [n]f32) (m: [n]f32) (v: [n]f32) : ([n]f32, [n]f32, [n]f32) =
  let (b1, b2) = (0.9, 0.999)
  let c1 = 1 - b1 ** f32.i32 t
  let c2 = 1 - b2 ** f32.i32 t
  in unzip3 (map4 (\p g m v ->
       let m = b1 * m + (1 - b1) * g
       let v = b2 * v + (1 - b2) * g * g
       in (p - rate * (m / c1 / (f32.sqrt (v / c2) + 1e-6) + 0.01 * p), m, v)) p g m v)

entry adamw [a][b][c][d] (t: i32) (rate: f32) (w: [a][b][c]f32) (gw: [a][b][c]f32) (w2: [d][c]f32) (gw2: [d][c]f32)
    (mom: [2][a][b][c]f32) (mom2: [2][d][c]f32) : ([a][b][c]f32, [2][a][b][c]f32, [d][c]f32, [2][d][c]f32) =
  let flat3 = \y -> flatten (flatten y)
  let norm = f32.sqrt (sum (map (\g -> g * g) (flat3 gw)) + sum (map (\g -> g * g) (flatten gw2)))
  let clip = f32.min 1 (100 / norm)
  let (p, m, v) = adam t rate (flat3 w) (map (* clip) (flat3 gw)) (flat3 mom[0]) (flat3 mom[1])
  let (p2, m2, v2) = adam t rate (flatten w2) (map (* clip) (flatten gw2)) (flatten mom2[0]) (flatten mom2[1])
  let cube y = unflatten (unflatten y)
  in (cube p, [cube m, cube v], unflatten p2, [unflatten m2, unflatten v2])

-- The forward algorithm of a hidden Markov model in logarithms.
def logsumexp [n] (xs: [n]f32) : f32 =
  let top = f32.maximum xs
  in top + f32.log (sum (map (\x -> f32.exp (x - top)) xs))

entry hmm_forward [s][o][b][t] (trans: [s][s]f32) (emit: [s][o]f32) (obs: [b][t]u8) : ([b]f32, [b][s]f32) =
  let normal row = let z = logsumexp row in map (\x -> x - z) row
  let lt = transpose (map normal trans)
  let le = map normal emit
  let run (seq: [t]u8) =
    let alpha = loop alpha = replicate s (-f32.log (f32.i64 s)) for x in seq do
      map2 (\col row -> logsumexp (map2 (+) col alpha) + row[i64.u8 x]) lt le
    in (logsumexp alpha, normal alpha)
  in unzip (map run obs)

-- Nucleus sampling of whole-number weights: each row sorted, downwards.
def sort_down [n] (xs: [n]u16) : [n]u16 =
  loop xs for b < 16 do
    let ones = map (\x -> i64.u16 (1 - ((x >> u16.i32 b) & 1))) xs
    let zeros = map (1 -) ones
    let split = i64.sum zeros
    let at0 = scan (+) 0 zeros
    let at1 = scan (+) 0 ones
    in scatter (replicate n 0) (map3 (\b p q -> if b == 0 then p - 1 else split + q - 1) ones at0 at1) xs

entry nucleus [b][v] (permille: u64) (draws: [b]u32) (weights: [b][v]u16) : ([b]i64, [b]u16, [b]u16) =
  unzip3 (map2 (\draw row ->
    let sorted = sort_down row
    let mass = scan (+) 0 (map u64.u16 sorted)
    let limit = permille * mass[v - 1]
    let kept = 1 + i64.sum (map (\m -> i64.bool (m * 1000 < limit)) (init mass))
    let point = u64.u32 draw % (mass[kept - 1] + 1)
    let pick = i64.min (kept - 1) (i64.sum (map (\m -> i64.bool (m < point)) mass))
    in (kept, sorted[kept - 1], sorted[pick])) draws weights)

-- A mixture of experts: tokens sorted by expert, and put back.
entry mixture [n][d][e][o] (x: [n][d]f32) (expert: [n]u8) (gate: [n]f32) (w: [e][d][o]f32) (b: [e][o]f32) : ([n][o]f32, [e]i32, [e]f32) =
  let counts = hist (+) 0i32 e (map i64.u8 expert) (replicate n 1)
  let sorted = loop ids = iota n for bit in [0u8, 1, 2, 3, 4, 5, 6, 7] do
    let (no, yes) = partition (\i -> (expert[i] >> bit) & 1 == 0) ids
    in (no ++ yes) :> [n]i64
  let token i =
    let k = i64.u8 expert[i]
    let y = map2 (\col c -> dot x[i] col + c) (transpose w[k]) b[k]
    in map (\a -> gate[i] * a * sigmoid a) y
  let rows = map token sorted
  let load = hist (+) 0 e (map (\i -> i64.u8 expert[i]) sorted) (map (\i -> gate[i]) sorted)
  in (scatter (replicate n (replicate o 0)) sorted rows, counts, load)

-- A product of bytes with scales of rows and columns, to half precision.
entry int8_matmul [n][k][m] (a: [n][k]i8) (b: [k][m]i8) (sa: [n]f16) (sb: [m]f16) : ([n][m]f16, [n]i32) =
  let product row col = i32.sum (map2 (\x y -> i32.i8 x * i32.i8 y) row col)
  let acc = map (\row -> map (product row) (transpose b)) a
  let out = map2 (\s row -> map2 (\t x -> f16.f32 (f32.i32 x * f32.f16 s * f32.f16 t)) sb row) sa acc
  in (out, map i32.maximum acc)

-- Kernel ridge regression by conjugate gradients.
entry kernel_ridge [n][d] (steps: i32) (gamma: f64) (lambda: f64) (x: [n][d]f64) (y: [n]f64) : ([n]f64, f64) =
  let dot a b = f64.sum (map2 (*) a b)
  let near a b = f64.exp (-gamma * f64.sum (map2 (\p q -> (p - q) * (p - q)) a b))
  let kernel = map (\a -> map (near a) x) x
  let apply p = map2 (\row pi -> dot row p + lambda * pi) kernel p
  let (alpha, r, _, _) =
    loop (alpha, r, p, rr) = (replicate n 0, y, y, dot y y) for _i < steps do
      let ap = apply p
      let s = rr / f64.max 1e-300 (dot p ap)
      let alpha = map2 (\a q -> a + s * q) alpha p
      let r = map2 (\a q -> a - s * q) r ap
      let rr' = dot r r
      in (alpha, r, map2 (\a q -> a + rr' / f64.max 1e-300 rr * q) r p, rr')
  in (alpha, f64.sqrt (dot r r))
