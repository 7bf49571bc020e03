-- A depthwise convolution (3x3, stride 2, zero padding) with tanh and a quadratic loss: gradients of the image, the kernels and the biases by reverse differentiation.
def layer [c][h][w] (x: [c][h][w]f32) (k: [c][3][3]f32) (b: [c]f32): [c][h / 2][w / 2]f32 =
  tabulate_3d c (h / 2) (w / 2) (\ch i j ->
    let s =
      loop s = 0 for q < 9 do
        let y = 2 * i + q / 3 - 1
        let z = 2 * j + q % 3 - 1
        in if y < 0 || y >= h || z < 0 || z >= w then s
           else s + k[ch, q / 3, q % 3] * x[ch, y, z]
    in f32.tanh (0.2 * s + b[ch] - 1))

def loss [c][h][w][p][q] (target: [c][p][q]f32) (x: [c][h][w]f32, k: [c][3][3]f32, b: [c]f32): f32 =
  let out = layer x k b :> [c][p][q]f32
  in 0.5 * f32.sum (map2 (\a t -> (a - t) ** 2) (flatten_3d out) (flatten_3d target))

entry main [c][h][w][p][q] (x: [c][h][w]f32) (k: [c][3][3]f32) (b: [c]f32) (target: [c][p][q]f32)
  : ([c][h][w]f32, [c][3][3]f32, [c]f32) =
  vjp (loss target) (x, k, b) 1
