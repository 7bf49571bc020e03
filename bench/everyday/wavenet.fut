-- A stack of causal dilated convolutions of two taps in one dimension, gated (tanh times logistic), with residual and skip connections, batched.
def sigmoid (x: f32): f32 = 1 / (1 + f32.exp (-x))

def mix [o][c] (m: [o][c]f32) (v: [c]f32): [o]f32 = map (\r -> f32.sum (map2 (*) r v)) m

entry main [b][c][t][layers][s]
    (x: [b][c][t]f32) (filter: [layers][2][c][c]f32) (gate: [layers][2][c][c]f32)
    (res: [layers][c][c]f32) (skip: [layers][s][c]f32): ([b][s][t]f32, [b][c][t]f32) =
  let small = 1 / f32.sqrt (f32.i64 c)
  let weight (w: f32): f32 = (w - 0.5) * small
  let filter = map (map (map (map weight))) filter
  let gate = map (map (map (map weight))) gate
  let res = map (map (map weight)) res
  let skip = map (map (map weight)) skip
  let one (sequence: [c][t]f32): ([s][t]f32, [c][t]f32) =
    let (_, h, total) =
      loop (dilation, h: [t][c]f32, total: [t][s]f32) = (1, transpose sequence, replicate t (replicate s 0)) for l < layers do
        let activations =
          tabulate t (\i ->
            let past: [c]f32 = if i >= dilation then h[i - dilation] else replicate c 0
            let taps (w: [2][c][c]f32) = map2 (+) (mix w[0] past) (mix w[1] h[i])
            in map2 (\f g -> f32.tanh f * sigmoid g) (taps filter[l]) (taps gate[l]))
        let h' = map2 (\z v -> map2 (+) v (mix res[l] z)) activations h
        let total' = map2 (\z v -> map2 (+) v (mix skip[l] z)) activations total
        in (dilation * 2, h', total')
    in (transpose total, transpose h)
  in unzip (map one x)
