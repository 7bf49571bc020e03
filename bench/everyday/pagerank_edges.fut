-- PageRank over a list of edges.
def main [m] (n: i64) (steps: i32) (src: [m]i32) (dst: [m]i32) : [n]f32 =
  let src = map (\s -> i64.i32 s % n) src
  let dst = map (\d -> i64.i32 d % n) dst
  let degree = reduce_by_index (replicate n 0i32) (+) 0 src (replicate m 1)
  in loop rank = replicate n (1 / f32.i64 n) for _i < steps do
       let give = map2 (\r d -> if d == 0 then 0 else r / f32.i32 d) rank degree
       let got = reduce_by_index (replicate n 0f32) (+) 0 dst (map (\s -> give[s]) src)
       in map (\g -> 0.15 / f32.i64 n + 0.85 * g) got
