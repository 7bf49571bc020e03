-- Count-min sketch of a stream of weighted items and the estimates of some of them.
def slot (w: i64) (row: i64) (x: i32) : i64 =
  let h = (u64.i32 x & 0xffff) * (0x9E3779B97F4A7C15 + 2 * u64.i64 row * 0x632BE59BD9B4E019)
  in i64.u64 ((h >> 33) % u64.i64 w)

entry main [n] [q] (d: i64) (w: i64) (items: [n]i32) (weights: [n]u8) (asked: [q]i32) : ([d][w]i32, [q]i32) =
  let row r = reduce_by_index (replicate w 0i32) (+) 0 (map (slot w r) items) (map i32.u8 weights)
  let sketch = map row (iota d)
  let estimate x = i32.minimum (tabulate d (\r -> sketch[r, slot w r x]))
  in (sketch, map estimate asked)
