-- Conformer convolution module: layer norm, pointwise with GLU, depthwise 1-D, norm over channels, swish, pointwise, residual.
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

def layer_norm [d] (x: [d]f32) : [d]f32 =
  let n = f32.i64 d
  let m = f32.sum x / n
  let v = f32.sum (map (\a -> (a - m) * (a - m)) x) / n
  let s = 1 / f32.sqrt (v + 1e-5)
  in map (\a -> (a - m) * s) x

def pointwise [t][d][o] (w: [o][d]f32) (x: [t][d]f32) : [t][o]f32 =
  #[incremental_flattening(only_inner)]
  map (\xi -> map (\wr -> f32.sum (map2 (*) wr xi)) w) x

def depthwise [t][d][k] (w: [d][k]f32) (x: [t][d]f32) : [t][d]f32 =
  let half = k / 2
  in tabulate_2d t d (\i c ->
       loop acc = 0 for j < k do
         let p = i + j - half
         in if p < 0 || p >= t then acc else acc + w[c, j] * x[p, c])

def convmod [t][d][k] (wa: [d][d]f32) (wb: [d][d]f32) (dw: [d][k]f32) (wo: [d][d]f32) (x: [t][d]f32) : [t][d]f32 =
  let y = map layer_norm x
  let glu = map2 (map2 (\a b -> a * sigmoid b)) (pointwise wa y) (pointwise wb y)
  let z = depthwise dw glu |> map layer_norm |> map (map (\v -> v * sigmoid v))
  in map2 (map2 (+)) x (pointwise wo z)

entry main [n][t][d][k] (x: [n][t][d]f32) (wa: [d][d]f32) (wb: [d][d]f32) (dw: [d][k]f32) (wo: [d][d]f32) : [n][t][d]f32 =
  let s = map (map (\v -> (v - 0.5f32) * 2 / f32.sqrt (f32.i64 d)))
  in map (convmod (s wa) (s wb) (map (map (\v -> v - 0.5)) dw) (s wo)) x
