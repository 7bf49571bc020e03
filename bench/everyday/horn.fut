-- Horn and Schunck's optical flow: prefilter, derivatives, n times ten iterations on a torus, root mean square of the change every ten.
def add2 [h][w] (a: [h][w]f32) (b: [h][w]f32): [h][w]f32 = map2 (map2 (+)) a b

def binomial [h][w] (a: [h][w]f32): [h][w]f32 =
  let pass (s: i64 -> [h][w]f32 -> [h][w]f32) a =
    map3 (map3 (\l c r -> 0.25 * l + 0.5 * c + 0.25 * r)) (s (-1) a) a (s 1 a)
  in a |> pass (\k a -> map (rotate k) a) |> pass (\k a -> rotate k a)

def average [h][w] (a: [h][w]f32): [h][w]f32 =
  let (n, s) = (rotate (-1) a, rotate 1 a)
  let (west, e) = (map (rotate (-1)) a, map (rotate 1) a)
  let near = add2 (add2 n s) (add2 west e)
  let ns = add2 n s
  let corners = add2 (map (rotate (-1)) ns) (map (rotate 1) ns)
  in map2 (map2 (\a b -> a / 6 + b / 12)) near corners

entry main [h][w] (n: i64) (alpha: f32) (first: [h][w]f32) (second: [h][w]f32): ([h][w]f32, [h][w]f32, [n]f32) =
  let (a, b) = (binomial first, binomial second)
  let m = add2 a b
  let ix = map2 (map2 (\l r -> 0.25 * (r - l))) (map (rotate (-1)) m) (map (rotate 1) m)
  let iy = map2 (map2 (\l r -> 0.25 * (r - l))) (rotate (-1) m) (rotate 1 m)
  let it = map2 (map2 (-)) b a
  let step (u, v) =
    let (ub, vb) = (average u, average v)
    in unzip (map2 zip ub vb
              |> map4 (map4 (\gx gy gt (p, q) ->
                               let r = (gx * p + gy * q + gt) / (alpha + gx * gx + gy * gy)
                               in (p - gx * r, q - gy * r))) ix iy it
              |> flatten)
       |> \(p, q) -> (unflatten p :> [h][w]f32, unflatten q :> [h][w]f32)
  let zero: [h][w]f32 = replicate h (replicate w 0)
  in loop (u, v, history) = (copy zero, copy zero, replicate n 0) for i < n do
       let (p, q) = loop uv = (u, v) for _k < 10i32 do step uv
       let change = map4 (map4 (\a b c d -> (a - b) * (a - b) + (c - d) * (c - d))) p u q v |> map f32.sum |> f32.sum
       in (p, q, history with [i] = f32.sqrt (change / f32.i64 (h * w)))
