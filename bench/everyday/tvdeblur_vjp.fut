-- Deblurring by gradient descent with momentum: the gradient of blur misfit plus smoothed total variation comes from vjp; mirrored 5x5 binomial blur.
def mir (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n-1) (if i < 0 then -i else if i >= n then 2*n-2-i else i))

def blur [h][w] (img: [h][w]f32) : [h][w]f32 =
  let k = [1f32, 4, 6, 4, 1]
  in tabulate_2d h w (\y x ->
       loop s = 0f32 for t < 25 do
         s + k[t/5] * k[t%5] / 256 * img[mir h (y + t/5 - 2), mir w (x + t%5 - 2)])

def cost [h][w] (lam: f32) (b: [h][w]f32) (u: [h][w]f32) : f32 =
  let fid = map2 (map2 (\p q -> 0.5 * (p - q) * (p - q))) (blur u) b
  let tv = tabulate_2d h w (\y x ->
    let dx = u[y, mir w (x+1)] - u[y,x]
    let dy = u[mir h (y+1), x] - u[y,x]
    in f32.sqrt (dx*dx + dy*dy + 1e-3))
  in f32.sum (flatten fid) + lam * f32.sum (flatten tv)

entry main [h][w] (iters: i32) (lam: f32) (img: [h][w]f32) : ([h][w]f32, f32) =
  let b = blur img
  let (u, _) = loop (u, v) = (b, replicate h (replicate w 0)) for _i < iters do
    let g = vjp (cost lam b) u 1f32
    let v = map2 (map2 (\p q -> 0.8 * p - 0.4 * q)) v g
    in (map2 (map2 (+)) u v, v)
  in (u, cost lam b u / f32.i64 (h*w))
