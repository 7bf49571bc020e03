-- Shortest paths from one vertex by relaxing all edges until nothing changes.
def main [m] (n: i64) (src: [m]i32) (dst: [m]i32) (weight: [m]u8) : ([n]i32, i32) =
  let src = map (\s -> i64.i32 s % n) src
  let dst = map (\d -> i64.i32 d % n) dst
  let start = replicate n i32.highest with [0] = 0
  let (d, _, k) = loop (d, go, k) = (start, true, 0i32) while go do
    let offers = map2 (\s w -> if d[s] == i32.highest then i32.highest else d[s] + i32.u8 w + 1) src weight
    let new = reduce_by_index (copy d) i32.min i32.highest dst offers
    in (new, or (map2 (!=) new d), k + 1)
  in (d, k)
