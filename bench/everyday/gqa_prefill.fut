-- Grouped-query causal attention over a prompt: several query heads share one key/value head.
def softmax [n] (xs: [n]f32) : [n]f32 =
  let m = f32.maximum xs
  let es = map (\x -> f32.exp (x - m)) xs
  let s = f32.sum es
  in map (/ s) es

def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)

entry main [h][g][n][d] (q: [h][g][n][d]f32) (k: [h][n][d]f32) (v: [h][n][d]f32) : [h][g][n][d]f32 =
  let scale = 4 / f32.sqrt (f32.i64 d)
  let head (kk: [n][d]f32) (vt: [d][n]f32) (qq: [n][d]f32) : [n][d]f32 =
    map2 (\i qi ->
            let s = map2 (\j kj -> if j > i then -1e9 else scale * dot qi kj) (iota n) kk
            let p = softmax s
            in map (dot p) vt)
         (iota n) qq
  in map3 (\qs kk vv -> let vt = transpose vv in map (head kk vt) qs) q k v
