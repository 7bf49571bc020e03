-- Richardson and Lucy's deconvolution of a colour image with a wrapped Gaussian kernel, damped by the divergence of total variation; the rest per channel.
def wrap (n: i64) (i: i64) = (i + n) % n

def conv [h][w][t] (k: [t]f32) (a: [h][w]f32): [h][w]f32 =
  let line [m] (v: [m]f32): [m]f32 = tabulate m (\i -> loop s = 0 for j < t do s + k[j] * v[wrap m (i + j - t/2)])
  in map line a |> transpose |> map line |> transpose

entry main [c][h][w] (rounds: i32) (lambda: f32) (obs: [c][h][w]f32): ([c][h][w]f32, [c]f32) =
  let g = map (\i -> f32.exp (-(f32.i64 (i - 4)) ** 2 / 6)) (iota 9)
  let k = map (/ f32.sum g) g
  let restore (o: [h][w]f32) =
    let o = map (map (+ 0.05)) o
    let est = loop e = o for _i < rounds do
      let ratio = map2 (map2 (/)) o (conv k e)
      let corr = conv k ratio
      let flux = tabulate_2d h w (\y x ->
        let dx = e[y, wrap w (x+1)] - e[y, x]
        let dy = e[wrap h (y+1), x] - e[y, x]
        let m = f32.sqrt (dx*dx + dy*dy + 0.001)
        in (dx/m, dy/m))
      let tv = tabulate_2d h w (\y x ->
        flux[y, x].0 - flux[y, wrap w (x-1)].0 + flux[y, x].1 - flux[wrap h (y-1), x].1)
      in map3 (map3 (\a b t -> a * b / (1 - lambda * t))) e corr tv
    let rest = map2 (map2 (-)) o (conv k est)
    in (est, f32.sqrt (f32.sum (map (\x -> x*x) (flatten rest)) / f32.i64 (h*w)))
  in unzip (map restore obs)
