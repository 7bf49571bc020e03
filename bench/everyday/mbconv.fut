-- An inverted bottleneck with squeeze and excitation: 1x1 expansion, depthwise 5x5 at stride 2, SiLU, a gate per channel, 1x1 projection; channels last.
def silu (x: f32): f32 = x / (1 + f32.exp (-x))
def sigmoid (x: f32): f32 = 1 / (1 + f32.exp (-x))
def dense [i][o] (w: [o][i]f32) (b: [o]f32) (x: [i]f32): [o]f32 = map2 (\r b -> b + f32.sum (map2 (*) r x)) w b

entry main [n][h][w][c][e][s][o] (we: [e][c]f32) (be: [e]f32) (kd: [5][5][e]f32) (w1: [s][e]f32) (b1: [s]f32) (w2: [e][s]f32) (b2: [e]f32) (wp: [o][e]f32) (bp: [o]f32) (x: [n][h][w][c]f32): [n][][][o]f32 =
  let oh = (h + 1) / 2
  let ow = (w + 1) / 2
  let we = map (map (\a -> (a - 0.5) * 0.5)) we
  let block (im: [h][w][c]f32): [oh][ow][o]f32 =
    let expanded = map (map (dense we be >-> map silu)) im
    let depth = tabulate_2d oh ow (\y x' ->
      tabulate e (\ch ->
        let taps = tabulate 25 (\t ->
          let (yy, xx) = (2*y + t/5 - 2, 2*x' + t%5 - 2)
          in if yy >= 0 && yy < h && xx >= 0 && xx < w then (kd[t/5, t%5, ch] - 0.4) * expanded[yy, xx, ch] else 0)
        in silu (f32.sum taps)))
    let squeezed = reduce (map2 (+)) (replicate e 0) (flatten depth) |> map (/ f32.i64 (oh*ow))
    let gates = squeezed |> dense w1 b1 |> map silu |> dense (map (map (\a -> a - 0.5)) w2) b2 |> map sigmoid
    in map (map (\p -> dense wp bp (map2 (*) p gates))) depth
  in map block x
