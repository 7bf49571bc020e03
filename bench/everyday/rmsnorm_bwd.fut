-- RMSNorm with gain and a residual: forward and hand-written backward pass, the gain's gradient summed over all tokens.
def main [b][t][d] (eps: f32) (x: [b][t][d]f32) (res: [b][t][d]f32) (gain: [d]f32) (dy: [b][t][d]f32)
  : ([b][t][d]f32, [b][t][d]f32, [d]f32) =
  let df = f32.i64 (i64.max 1 d)
  let h = map2 (map2 (map2 (+))) x res
  let inv = map (map (\v -> 1 / f32.sqrt (f32.sum (map (\a -> a * a) v) / df + eps))) h
  let y = map2 (map2 (\v r -> map2 (\a g -> a * r * g) v gain)) h inv
  let dx = map3 (map3 (\v r g ->
             let wg = map2 (*) g gain
             let dot = f32.sum (map2 (*) wg v) * r * r * r / df
             in map2 (\p a -> p * r - a * dot) wg v)) h inv dy
  let dgain = map3 (map3 (\v r g -> map2 (\a p -> a * r * p) v g)) h inv dy
              |> flatten |> transpose |> map f32.sum
  in (y, dx, dgain)
