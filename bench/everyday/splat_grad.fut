-- Fitting a picture by Gaussians: soft blobs are summed at each pixel, and a few steps of gradient descent on all of their parameters by reverse mode; the loss per step.
type blob = {x: f32, y: f32, s: f32, c: f32}

def render [k] (n: i64) (bs: [k]blob): [n][n]f32 =
  tabulate_2d n n (\i j ->
    let (y, x) = ((f32.i64 i + 0.5) / f32.i64 n, (f32.i64 j + 0.5) / f32.i64 n)
    in f32.sum (map (\b ->
         let d = (x - b.x)*(x - b.x) + (y - b.y)*(y - b.y)
         in b.c * f32.exp (-d * (10 + 30 * b.s * b.s))) bs) / f32.i64 k)

def loss [k][n] (goal: [n][n]f32) (bs: [k]blob): f32 =
  render n bs |> map2 (map2 (\g v -> (v - g) * (v - g))) goal |> map f32.sum |> f32.sum |> (/ f32.i64 (n*n))

entry main [k][n] (steps: i64) (rate: f32) (xs: [k]f32) (ys: [k]f32) (ss: [k]f32) (cs: [k]f32) (goal: [n][n]f32): ([k]f32, [k]f32, [k]f32, [k]f32, [steps]f32) =
  let start = map4 (\x y s c -> {x, y, s, c}) xs ys ss cs
  let (bs, log) =
    loop (bs: [k]blob, log: *[steps]f32) = (start, replicate steps 0) for i < steps do
      let g = vjp (loss goal) bs 1
      let log = log with [i] = loss goal bs
      let go a d = a - rate * d
      in (map2 (\b d -> {x = go b.x d.x, y = go b.y d.y, s = go b.s d.s, c = go b.c d.c}) bs g, log)
  in (map (.x) bs, map (.y) bs, map (.s) bs, map (.c) bs, log)
