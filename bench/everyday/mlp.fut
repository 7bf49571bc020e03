-- Three layers with bias and activation.
def layer [n][i][o] (f: f32 -> f32) (w: [o][i]f32) (b: [o]f32) (x: [n][i]f32) : [n][o]f32 =
  map (\r -> map2 (\wr b -> f (b + f32.sum (map2 (*) wr r))) w b) x
entry main [n][a][b][c][d] (x: [n][a]f32) (w1: [b][a]f32) (b1: [b]f32) (w2: [c][b]f32) (b2: [c]f32) (w3: [d][c]f32) (b3: [d]f32) : [n]i64 =
  let y = x |> layer (f32.max 0) w1 b1 |> layer f32.tanh w2 b2 |> layer id w3 b3
  in map (\r -> (reduce_comm (\(i,v) (j,w) -> if v > w || (v == w && i < j) then (i,v) else (j,w)) (d, -f32.inf) (zip (iota d) r)).0) y
