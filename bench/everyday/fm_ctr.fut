-- Factorisation machine for click prediction: hashed fields, pairwise interactions through sums of squares, log loss, gradients scattered to the tables, a few steps.
def sigmoid (z: f32) : f32 = 1 / (1 + f32.exp (-z))

def forward [v] [k] [f] (bias: f32) (w: [v]f32) (e: [v][k]f32) (row: [f]i64) : (f32, [k]f32) =
  let sums = tabulate k (\j -> f32.sum (map (\i -> e[i, j]) row))
  let squares = f32.sum (map (\i -> f32.sum (map (\x -> x * x) e[i])) row)
  let linear = f32.sum (map (\i -> w[i]) row)
  in (bias + linear + 0.5 * (f32.sum (map (\s -> s * s) sums) - squares), sums)

entry main [n] [f] [v] [k] (steps: i64) (rate: f32) (hashes: [n][f]i32) (clicks: [n]bool) (w0: [v]f32) (e0: [v][k]f32)
    : (f32, [v]f32, [v][k]f32, [steps]f32) =
  let rows = map (map (\h -> i64.i32 (h & 0x7fffffff) % v)) hashes
  let y = map f32.bool clicks
  let at = flatten rows
  let (bias, w, e, losses) =
    loop (bias, w, e, losses) =
      (0f32, map (\x -> 0.1 * (x - 0.5)) w0, map (map (\x -> 0.2 * (x - 0.5))) e0, replicate steps 0f32)
    for s < steps do
      let (z, sums) = unzip (map (forward bias w e) rows)
      let p = map sigmoid z
      let loss = f64.sum (map2 (\z y -> f64.f32 (f32.max z 0 - z * y + f32.log (1 + f32.exp (-(f32.abs z))))) z y)
      let d = map2 (\p y -> (p - y) / f32.i64 n) p y
      let gw = reduce_by_index (replicate v 0f32) (+) 0 at (flatten (map (replicate f) d))
      -- d/de[i, j] = d * (sums[j] - e[i, j])
      let ge =
        transpose (map (\j ->
          reduce_by_index (replicate v 0f32) (+) 0 at
            (flatten (map3 (\row d s -> map (\i -> d * (s[j] - e[i, j])) row) rows d sums)))
          (iota k))
      let step x g = x - rate * g
      in (step bias (f32.f64 (f64.sum (map f64.f32 d))), map2 step w gw, map2 (map2 step) e ge, losses with [s] = f32.f64 (loss / f64.i64 n))
  in (bias, w, e, losses)
