-- A ConvLSTM over a batch of sequences: 3x3 convolutions of input and hidden maps give the four gates; the last state and the mean activation per step.
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

def conv3 [c][h][w] (im: [c][h][w]f32) (k: [c][3][3]f32) (y: i64) (x: i64): f32 =
  loop s = 0 for q < c do
    loop s for i < 3 do
      loop s for j < 3 do
        let (yy, xx) = (y + i - 1, x + j - 1)
        in if yy < 0 || xx < 0 || yy >= h || xx >= w then s else s + im[q, yy, xx] * (k[q, i, j] - 0.5)

entry main [n][t][c][h][w][k] (wx: [4][k][c][3][3]f32) (wh: [4][k][k][3][3]f32) (bias: [4][k]f32) (xs: [n][t][c][h][w]f32): ([n][k][h][w]f32, [n][k][h][w]f32, [n][t]f32) =
  let cell (x: [c][h][w]f32) (hid: [k][h][w]f32, mem: [k][h][w]f32) =
    let gate g o y z = bias[g, o] - 0.5 + 0.3 * (conv3 x wx[g, o] y z + conv3 hid wh[g, o] y z)
    let next = tabulate_3d k h w (\o y z ->
      let i = sigmoid (gate 0 o y z)
      let f = sigmoid (gate 1 o y z + 1)
      let g = f32.tanh (gate 2 o y z)
      let m = f * mem[o, y, z] + i * g
      in (sigmoid (gate 3 o y z) * f32.tanh m, m))
    in unzip (map unzip (map (map unzip) next))
  let sequence (x: [t][c][h][w]f32) =
    let zero () = tabulate_3d k h w (\_ _ _ -> 0f32)
    in loop (hid, mem, log) = (zero (), zero (), replicate t 0) for i < t do
         let (hid, mem) = cell x[i] (hid, mem)
         in (hid, mem, log with [i] = f32.sum (flatten_3d hid) / f32.i64 (k*h*w))
  in unzip3 (map sequence xs)
