-- Points into a depth buffer, the nearest wins with its colour.
def main [n] (h: i64) (w: i64) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (cs: [n]u8) : [h][w]u8 =
  let place x y = i64.f32 (y * f32.i64 h) * w + i64.f32 (x * f32.i64 w)
  let key z c = (u64.u32 (u32.f32 (z * 4e9)) << 8) | u64.u8 c
  let best = reduce_by_index (replicate (h*w) u64.highest) u64.min u64.highest (map2 place xs ys) (map2 key zs cs)
  in unflatten (map (\k -> if k == u64.highest then 0 else u8.u64 (k & 255)) best)
