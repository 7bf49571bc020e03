-- Fourier neural operator layer in 1-D (low modes by dense sums, mixing of channels per mode, pointwise path, GELU) with gradients by vjp.
def gelu (x: f32) = 0.5 * x * (1 + f32.tanh (0.7978846 * (x + 0.044715 * x * x * x)))

def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

def layer [c][n][k] (cs: [k][n]f32) (sn: [k][n]f32) (wr: [k][c][c]f32) (wi: [k][c][c]f32) (wp: [c][c]f32) (x: [c][n]f32) : [c][n]f32 =
  let scale = 1 / f32.i64 n
  let re = map (map (* scale)) (matmul cs (transpose x))        -- [k][c]
  let im = map (map (\v -> -v * scale)) (matmul sn (transpose x))
  let mv (w: [c][c]f32) (v: [c]f32) = map (\r -> f32.sum (map2 (*) r v)) w
  let yr = map4 (\a b r i -> map2 (-) (mv a r) (mv b i)) wr wi re im
  let yi = map4 (\a b r i -> map2 (+) (mv a i) (mv b r)) wr wi re im
  let spec = map2 (map2 (-)) (matmul (transpose yr) cs) (matmul (transpose yi) sn)
  let pt = matmul wp x
  in map2 (map2 (\a b -> gelu (a + b))) spec pt

def main [b][c][n][k] (x: [b][c][n]f32) (target: [b][n]f32) (wr0: [k][c][c]f32) (wi0: [k][c][c]f32) (wp0: [c][c]f32) (out: [c]f32) =
  let ang j i = 2 * f32.pi * f32.i64 ((j * i) % n) / f32.i64 n
  let cs = tabulate_2d k n (\j i -> f32.cos (ang j i))
  let sn = tabulate_2d k n (\j i -> f32.sin (ang j i))
  let centre w = map (map (\v -> 2 * (v - 0.5) / f32.i64 c)) w
  let params = (map centre wr0, map centre wi0, centre wp0, map (\v -> v - 0.5) out)
  let predict (wr, wi, wp, o) = map (\s ->
    let y = layer cs sn wr wi wp s
    in map (\col -> f32.sum (map2 (*) o col)) (transpose y)) x
  let loss ps =
    let p = predict ps
    in f32.sum (map2 (\a t -> f32.sum (map2 (\u v -> (u - v) * (u - v)) a t)) p target) / f32.i64 (b * n)
  let (gr, gi, gp, go) = vjp loss params 1
  in (predict params, loss params, gr, gi, gp, go)
