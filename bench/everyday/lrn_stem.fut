-- The stem of an AlexNet: 11x11 convolution at stride 4 of colour images, ReLU, local response normalisation across channels, overlapping maximum pooling, and each map's root mean square.
def window_sum [c] (r: i64) (v: [c]f32): [c]f32 =
  let p = scan (+) 0 v
  in tabulate c (\i ->
       let hi = p[i64.min (c-1) (i+r)]
       in if i - r - 1 < 0 then hi else hi - p[i-r-1])

entry main [n][h][w][o] (x: [n][h][w][3]u8) (k: [o][11][11][3]f32) (bias: [o]f32): [n][o]f32 =
  let oh = (h - 11) / 4 + 1
  let ow = (w - 11) / 4 + 1
  let ph = (oh - 3) / 2 + 1
  let pw = (ow - 3) / 2 + 1
  let stem (im: [h][w][3]u8): [o]f32 =
    let z = map (map (map (\v -> f32.u8 v / 255 - 0.5))) im
    let conv = tabulate_3d oh ow o (\y x f ->
      let patch = z[4*y:4*y+11, 4*x:4*x+11] :> [11][11][3]f32
      let s = map2 (\a b -> map2 (\p q -> map2 (\u v -> u * (v - 0.5)) p q |> f32.sum) a b |> f32.sum) patch k[f] |> f32.sum
      in f32.max 0 (0.1*s + bias[f]))
    let normed = map (map (\v ->
      let s = window_sum 2 (map (\a -> a*a) v)
      in map2 (\a q -> a / (2 + 0.1*f32.max 0 q) ** 0.75) v s)) conv
    let pooled = tabulate_3d o ph pw (\f y x ->
      f32.maximum (flatten (tabulate_2d 3 3 (\i j -> normed[2*y+i, 2*x+j, f]))))
    in map (\m -> f32.sqrt (f32.sum (map (\a -> a*a) (flatten m)) / f32.i64 (ph*pw))) pooled
  in map stem x
