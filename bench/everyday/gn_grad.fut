-- Gradients of a group norm followed by GELU, for the input, the gains and the offsets, by reverse mode of the whole batch.
def gelu (x: f32) = 0.5 * x * (1 + f32.tanh (0.79788456 * (x + 0.044715*x*x*x)))

def norm_group [p][m] (x: [p][m]f32): [p][m]f32 =
  let v = flatten x
  let cnt = f32.i64 (p*m)
  let mean = f32.sum v / cnt
  let var = f32.sum (map (\a -> (a - mean) * (a - mean)) v) / cnt
  let r = 1 / f32.sqrt (var + 0.01)
  in map (map (\a -> (a - mean) * r)) x

def layer [n][g][p][m] (gain: [g][p]f32, offset: [g][p]f32, x: [n][g][p][m]f32): [n][g][p][m]f32 =
  map (\im -> map3 (\x gs os -> map3 (\row a b -> map (\v -> gelu (a*v + b)) row) (norm_group x) gs os) im gain offset) x

entry main [n][g][p][m] (gain: [g][p]f32) (offset: [g][p]f32) (x: [n][g][p][m]f32) (seed: [n][g][p][m]f32): ([g][p]f32, [g][p]f32, [n][g][p][m]f32) =
  vjp layer (gain, offset, x) seed
