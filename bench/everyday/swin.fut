-- Shifted-window attention: the map is rolled, cut in windows, each with multi-head attention and a relative position bias, put back and rolled again; a residual.
def roll2 [h][w] 't (dy: i64) (dx: i64) (a: [h][w]t): [h][w]t = rotate dy (map (rotate dx) a)

def softmax [n] (x: [n]f32): [n]f32 =
  let m = f32.maximum x
  let e = map (\v -> f32.exp (v - m)) x
  let s = f32.sum e
  in map (/ s) e

entry main [h][w][d] (win: i64) (heads: i64) (shift: i64) (wqkv: [3][d][d]f32) (wo: [d][d]f32) (bias: [heads][][]f32) (x: [h][w][d]f32): [h][w][d]f32 =
  let dh = d / heads
  let (nh, nw) = (h / win, w / win)
  let tok = win * win
  let rolled = roll2 shift shift x
  let project m (v: [d]f32): [d]f32 = map (\r -> f32.sum (map2 (\a b -> (a - 0.5) * b) r v) * 0.2) m
  let window by bx =
    let tokens = tabulate tok (\t -> rolled[by*win + t/win, bx*win + t%win])
    let (q, k, v) = (map (project wqkv[0]) tokens, map (project wqkv[1]) tokens, map (project wqkv[2]) tokens)
    let head hd =
      let part (m: [tok][d]f32) = map (\r -> r[hd*dh:(hd+1)*dh] :> [dh]f32) m
      let (q, k, v) = (part q, part k, part v)
      let scores = tabulate_2d tok tok (\i j ->
        let (dy, dx) = (i/win - j/win + win - 1, i%win - j%win + win - 1)
        in f32.sum (map2 (*) q[i] k[j]) / f32.sqrt (f32.i64 dh) + bias[hd, dy, dx])
      let p = map softmax scores
      in map (\r -> map (\col -> f32.sum (map2 (*) r col)) (transpose v)) p
    let joined = tabulate heads head
    in tabulate tok (\t -> project wo (tabulate d (\c -> joined[c / dh, t, c % dh])))
  let out = tabulate_2d nh nw window
  let put = tabulate_2d h w (\y z ->
    let (by, bx) = (y / win, z / win)
    in if by < nh && bx < nw then out[by, bx, (y % win) * win + z % win] else replicate d 0)
  in map2 (map2 (map2 (+))) x (roll2 (-shift) (-shift) put)
