-- Inference of a random forest: complete trees in heap order over byte features, votes counted per sample.
def classes = 8i64

def descend [f] [k] (depth: i64) (x: [f]u8) (feat: [k]i32) (thr: [k]u8) : i64 =
  let node =
    loop node = 0 for _l < depth do
      let j = i64.i32 (feat[node] & 0x7fffffff) % f
      in 2 * node + 1 + (if x[j] < thr[node] then 0 else 1)
  in node - k

entry main [n] [f] [t] [k] [l] (depth: i64) (xs: [n][f]u8) (feats: [t][k]i32) (thrs: [t][k]u8) (leaves: [t][l]u8) (weights: [t]f32) :
    ([n]u8, [n]f32, [classes]i64) =
  let sample x =
    let ls = map3 (\fe th le -> le[i64.min (l - 1) (descend depth x fe th)]) feats thrs leaves
    let votes = reduce_by_index (replicate classes 0i32) (+) 0 (map (\c -> i64.u8 c % classes) ls) (replicate t 1)
    let (_, best) = reduce (\(a, i) (b, j) -> if b > a || (b == a && j < i) then (b, j) else (a, i)) (-1, classes)
                           (zip votes (iota classes))
    let score = reduce (+) 0 (map2 (\w c -> w * f32.u8 c) weights ls)
    in (u8.i64 best, score / f32.i64 t)
  let (pred, score) = unzip (map sample xs)
  let tally = hist (+) 0 classes (map i64.u8 pred) (replicate n 1)
  in (pred, score, tally)
