-- A ConvNeXt block on channels-last images: depthwise 7x7, layer norm over channels, expansion by four with GELU, back, a scale per channel and the residual; the mean feature of each image.
def gelu (x: f32): f32 = 0.5 * x * (1 + f32.tanh (0.7978846 * (x + 0.044715*x*x*x)))

def dot [n] (a: [n]f32) (b: [n]f32): f32 = reduce (+) 0 (map2 (*) a b)

def dense [m][k][n] (wt: [n][k]f32) (bias: [n]f32) (x: [m][k]f32): [m][n]f32 =
  map (\row -> map2 (\wr b -> dot row wr + b) wt bias) x

entry main [n][h][w][c][e] (dw: [7][7][c]f32) (gamma: [c]f32) (beta: [c]f32) (w1: [e][c]f32) (b1: [e]f32) (w2: [c][e]f32) (b2: [c]f32) (scale: [c]f32) (x: [n][h][w][c]f32)
    : ([n][h][w][c]f32, [n][c]f32) =
  let dw = map (map (map (\v -> (v - 0.5) / 7))) dw
  let w1 = map (map (\v -> (v - 0.5) * 0.2)) w1
  let w2 = map (map (\v -> (v - 0.5) * 0.1)) w2
  let depthwise (im: [h][w][c]f32): [h][w][c]f32 =
    tabulate_3d h w c (\y x k ->
      loop s = 0 for i < 7 do
        loop s for j < 7 do
          let (yy, xx) = (y + i - 3, x + j - 3)
          in if yy >= 0 && yy < h && xx >= 0 && xx < w then s + dw[i, j, k] * im[yy, xx, k] else s)
  let norm (v: [c]f32): [c]f32 =
    let m = f32.sum v / f32.i64 c
    let var = f32.sum (map (\a -> (a - m)*(a - m)) v) / f32.i64 c
    in map3 (\a g b -> (a - m) / f32.sqrt (var + 1e-3) * g + b) v gamma beta
  let block (im: [h][w][c]f32) =
    let t = flatten (map (map norm) (depthwise im))
    let t = dense w1 b1 t |> map (map gelu) |> dense w2 b2
    let out = map2 (map2 (\p q -> map3 (\a s b -> a + s*b) p scale q)) im (unflatten t)
    let pooled = map (\ch -> f32.sum ch / f32.i64 (h*w)) (transpose (flatten out))
    in (out, pooled)
  in unzip (map block x)
