-- Real NVP flow: affine couplings with swapped halves, mean log likelihood of the data, gradients of all weights by vjp, samples by the inverse.
type net [h][k] = {a: [k][h]f32, s: [h][k]f32, t: [h][k]f32}   -- hidden, scale, shift

def dense [n][m] (w: [m][n]f32) (v: [n]f32) : [m]f32 =
  loop out = replicate m 0 for j < m do
    let d = loop d = 0 for i < n do d + w[j, i] * v[i]
    in out with [j] = d

def coupling [h][k] (p: net [h][k]) (x: [h]f32) : ([h]f32, [h]f32) =
  let hid = map f32.tanh (dense p.a x)
  in (map (\v -> 0.5 * f32.tanh v) (dense p.s hid), dense p.t hid)

def forward [l][h][k] (nets: [l](net [h][k])) (x: [h]f32) (y: [h]f32) : ([h]f32, [h]f32, f32) =
  loop (x, y, ld) = (x, y, 0) for i < l do
    let (s, t) = coupling nets[i] x
    in (map3 (\v a b -> v * f32.exp a + b) y s t, x, ld + f32.sum s)

def backward [l][h][k] (nets: [l](net [h][k])) (x: [h]f32) (y: [h]f32) : ([h]f32, [h]f32) =
  loop (x, y) = (x, y) for j < l do
    let (s, t) = coupling nets[l - 1 - j] y
    in (y, map3 (\v a b -> (v - b) * f32.exp (-a)) x s t)

def main [n][h][l][k] (xs: [n][h]f32) (ys: [n][h]f32) (a0: [l][k][h]f32) (s0: [l][h][k]f32) (t0: [l][h][k]f32) =
  let c v = v - 0.5f32
  let p = map3 (\a s t -> {a = map (map c) a, s = map (map c) s, t = map (map c) t}) a0 s0 t0
  let loss nets =
    let ll x y =
      let (u, v, ld) = forward nets x y
      in 0.5 * (f32.sum (map (\q -> q * q) u) + f32.sum (map (\q -> q * q) v)) - ld
    in f32.sum (map2 ll xs ys) / f32.i64 n
  let g = vjp loss p 1
  let (u, v) = unzip (map2 (backward p) xs ys)
  in (loss p, map (\q -> q.a) g, map (\q -> q.s) g, map (\q -> q.t) g, u, v)
