-- Mixture density regression: a linear layer gives weights, means and log deviations; NLL and its gradient by vjp.
def logsumexp [k] (z: [k]f32) : f32 =
  let m = f32.maximum z
  in m + f32.log (f32.sum (map (\v -> f32.exp (v - m)) z))

def affine [k][d] (w: [k][d]f32) (b: [k]f32) (x: [d]f32) : [k]f32 =
  map2 (\r c -> c + f32.sum (map2 (*) r x)) w b

def nll [n][d][k] (xs: [n][d]f32) (ys: [n]f32) (w: [3][k][d]f32, b: [3][k]f32) : f32 =
  let one x y =
    let logits = affine w[0] b[0] x
    let mu = affine w[1] b[1] x
    let ls = affine w[2] b[2] x
    let comp = map3 (\a m s -> let e = (y - m) * f32.exp (-s) in a - s - 0.5 * e * e) logits mu ls
    in logsumexp logits - logsumexp comp
  in f32.sum (map2 one xs ys) / f32.i64 n

entry main [n][d][k] (steps: i64) (rate: f32) (xs: [n][d]f32) (ys: [n]f32) (w0: [3][k][d]f32) : ([3][k][d]f32, [3][k]f32, f32) =
  let start = (map (map (map (\v -> 0.2 * (v - 0.5)))) w0, replicate 3 (replicate k 0.1f32))
  let (w, b) =
    loop (w, b) = start for _i < steps do
      let (gw, gb) = vjp (nll xs ys) (w, b) 1
      in (map2 (map2 (map2 (\a g -> a - rate * g))) w gw,
          map2 (map2 (\a g -> a - rate * g)) b gb)
  in (w, b, nll xs ys (w, b))
