-- Gradients of one head of attention with respect to the three projections.
def mm [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
def softmax [n] (v: [n]f32) : [n]f32 = let m = f32.maximum v let e = map (\x -> f32.exp (x-m)) v let s = f32.sum e in map (/s) e
def main [n][d][h] (x: [n][d]f32) (wq: [d][h]f32) (wk: [d][h]f32) (wv: [d][h]f32) (t: [n][h]f32) =
  let loss (wq, wk, wv) =
    let q = mm x wq
    let k = mm x wk
    let v = mm x wv
    let a = map softmax (map (map (/ (f32.i64 (d*h) * 64))) (mm q (transpose k)))
    let o = mm a v
    in f32.sum (map2 (\a b -> f32.sum (map2 (\u w -> (u-w)*(u-w)) a b)) o t)
  in vjp loss (wq, wk, wv) 1
