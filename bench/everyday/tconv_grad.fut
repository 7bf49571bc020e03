-- Gradients of a transposed convolution (3x3, stride 2, scattered as a gather) with bias and softplus, for kernel, bias and input.
def softplus (x: f32) = f32.max x 0 + f32.log (1 + f32.exp (-f32.abs x))

def tconv [c][h][w][o] (k: [c][o][3][3]f32) (b: [o]f32) (x: [c][h][w]f32): [o][2*h][2*w]f32 =
  map2 (\f bias ->
    tabulate_2d (2*h) (2*w) (\y z ->
      let tap ch t =
        let (ty, tz) = (y + 1 - t/3, z + 1 - t%3)
        in if ty % 2 == 0 && tz % 2 == 0 && ty >= 0 && tz >= 0 && ty < 2*h && tz < 2*w
           then k[ch, f, t/3, t%3] * x[ch, ty/2, tz/2] else 0
      in softplus (0.2 * f32.sum (map (\ch -> f32.sum (map (tap ch) (iota 9))) (iota c)) + bias - 1))) (iota o) b

entry main [n][c][h][w][o] (k: [c][o][3][3]f32) (b: [o]f32) (x: [n][c][h][w]f32) (target: [n][o][2*h][2*w]f32): ([c][o][3][3]f32, [o]f32, [n][c][h][w]f32, f32) =
  let loss (k, b, x) =
    let y = map (tconv k b) x
    in f32.sum (map2 (\p q -> f32.sum (map2 (\a b -> (a - b) * (a - b)) (flatten_3d p) (flatten_3d q))) y target)
  let (dk, db, dx) = vjp loss (k, b, x) 1
  in (dk, db, dx, loss (k, b, x) / f32.i64 n)
