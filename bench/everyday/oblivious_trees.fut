-- Prediction with an ensemble of oblivious trees (CatBoost): every level of a tree asks one question, the answers' bits are the leaf's number; raw scores, probabilities and leaf use.
type question = {feature: i64, border: u8}

def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))

def leaf [d] [depth] (qs: [depth]question) (row: [d]u8) : i64 =
  loop bits = 0 for l < depth do
    let q = qs[l]
    in bits | (i64.bool (row[q.feature] > q.border) << l)

entry main [n] [d] [trees] [depth] [classes] [leaves]
    (qs: [trees][depth]i32) (values: [trees][leaves][classes]f32) (rows: [n][d]u8)
    : ([n][classes]f32, [trees]i32, []i32) =
  let asked =
    map (map (\r -> {feature = i64.i32 ((r >> 8) & 0xffff) % d, border = u8.i32 (r & 0xff)})) qs
  let scores =
    map (\row ->
           loop acc = replicate classes 0f32
           for t < trees do
             let v = values[t, leaf asked[t] row % leaves]
             in map2 (\a x -> a + 0.2 * (x - 0.5)) acc v)
        rows
  let used =
    map (\tree ->
           let count = reduce_by_index (replicate leaves 0i32) (+) 0 (map (\r -> leaf tree r % leaves) rows) (replicate n 1)
           in i32.sum (map (\c -> i32.bool (c > 0)) count))
        asked
  let importance =
    reduce_by_index (replicate d 0i32) (+) 0 (map (.feature) (flatten asked)) (replicate (trees * depth) 1)
  in (map (map sigmoid) scores, used, importance)
