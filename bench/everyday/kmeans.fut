entry main [n][d] (k: i64) (steps: i32) (pts: [n][d]f32) : [k][d]f32 =
  loop c = take k pts for _i < steps do
    let owner = map (\p -> (reduce (\(i,x) (j,y) -> if x < y || (x == y && i < j) then (i,x) else (j,y)) (0,f32.inf)
                             (zip (iota k) (map (\c -> f32.sum (map2 (\a b -> (a-b)*(a-b)) p c)) c))).0) pts
    let counts = reduce_by_index (replicate k 0i32) (+) 0 owner (replicate n 1)
    let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) owner pts
    in map2 (\s n -> map (/ f32.i32 (i32.max 1 n)) s) sums counts
