-- Attention where a position sees only what lies before it.
def main [b][t][d] (qs: [b][t][d]f32) (ks: [b][t][d]f32) (vs: [b][t][d]f32) : [b][t][d]f32 =
  let scale = 1 / f32.sqrt (f32.i64 d)
  in map3 (\q k v ->
    let scores = tabulate_2d t t (\i j -> if j > i then -f32.inf else scale * f32.sum (map2 (*) q[i] k[j]))
    let soft = map (\r -> let m = f32.maximum r let e = map (\x -> f32.exp (x - m)) r let s = f32.sum e in map (/ s) e) scores
    in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose v)) soft) qs ks vs
