-- Run lengths decoded: values repeated as often as counts say.
def main [n] (values: [n]i32) (counts: [n]u8) : []i32 =
  let c = map (\k -> i64.u8 (k % 8)) counts
  let ends = scan (+) 0 c
  let total = if n == 0 then 0 else last ends
  let starts = map2 (-) ends c
  let marks = reduce_by_index (replicate total 0i64) i64.max 0 (map2 (\s k -> if k == 0 then -1 else s) starts c) (iota n)
  in map (\i -> values[i]) (scan i64.max 0 marks)
