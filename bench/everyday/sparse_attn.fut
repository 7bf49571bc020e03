-- Attention over k chosen keys a query: sampled products, a softmax of each row, and the weighted sum of the values.
def dot [d] (x: [d]f32) (y: [d]f32) : f32 = f32.sum (map2 (*) x y)

def softmax [k] (xs: [k]f32) : [k]f32 =
  let m = f32.maximum xs
  let e = map (\x -> f32.exp (x - m)) xs
  let s = f32.sum e
  in map (/ s) e

entry main [n] [m] [k] [d] (idx: [n][k]i32) (q: [n][d]f32) (key: [m][d]f32) (vals: [m][d]f32) : ([n][d]f32, [n][k]f32) =
  let scale = 1 / f32.sqrt (f32.i64 d)
  let at (x: i32) : i64 = i64.i32 (x & 0x7fffffff) % m
  let weights = map2 (\qi row -> softmax (map (\j -> scale * dot qi key[at j]) row)) q idx
  let out = map2 (\w row -> map (\c -> f32.sum (map2 (\x j -> x * vals[at j, c]) w row)) (iota d)) weights idx
  in (out, weights)
