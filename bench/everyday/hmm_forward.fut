-- The forward algorithm in logarithms: sequences in parallel, states in parallel, steps in turn.
def logsumexp [n] (xs: [n]f32) : f32 =
  let m = f32.maximum xs
  in m + f32.log (f32.sum (map (\x -> f32.exp (x - m)) xs))
def main [b][t][s][o] (trans: [s][s]f32) (emit: [s][o]f32) (obs: [b][t]i32) : [b]f32 =
  map (\seq ->
    let a = loop a = map (\i -> emit[i, i64.i32 seq[0] % o]) (iota s) for k < t - 1 do
      let y = i64.i32 seq[k+1] % o
      in map (\j -> logsumexp (map (\i -> a[i] + trans[i,j]) (iota s)) + emit[j,y]) (iota s)
    in logsumexp a) obs
