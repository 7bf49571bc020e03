-- Capsules with routing by agreement: small batched matrix products give the votes, three rounds of softmax coupling, the squash; lengths and poses of the output capsules.
def squash [d] (v: [d]f32): [d]f32 =
  let q = f32.sum (map (\a -> a*a) v)
  in map (\a -> a * f32.sqrt (q + 1e-4) / (1 + q)) v

def dot [d] (a: [d]f32) (b: [d]f32) = f32.sum (map2 (*) a b)

def coupling [k] (logits: [k]f32): [k]f32 =
  let m = f32.maximum logits
  let e = map (\l -> f32.exp (l - m)) logits
  in map (/ f32.sum e) e

entry main [n][i][o][a][b] (rounds: i64) (w: [i][o][b][a]f32) (u: [n][i][a]f32): ([n][o]f32, [n][o][b]f32) =
  let route (caps: [i][a]f32): [o][b]f32 =
    let votes: [i][o][b]f32 = map2 (\c ws -> map (map (\r -> dot (map (\q -> q - 0.5) r) c)) ws) caps w
    let (_, poses) =
      loop (logits, _) = (replicate i (replicate o 0), replicate o (replicate b 0)) for _r < rounds do
        let c = map coupling logits
        let s = map2 (\cj vj -> reduce (map2 (+)) (replicate b 0) (map2 (\x v -> map (x *) v) cj vj)) (transpose c) (transpose votes)
        let v = map squash s
        let logits = map2 (map2 (+)) logits (map (\vs -> map2 dot vs v) votes)
        in (logits, v)
    in poses
  let poses = map route u
  in (map (map (\p -> f32.sqrt (dot p p))) poses, poses)
