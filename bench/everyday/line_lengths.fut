-- Text split at line ends: the lengths of the lines, the longest, and a histogram of lengths.
entry main [n] (text: [n]u8) : ([]i32, i32, [64]i32) =
  let ends = filter (\i -> text[i] < 7) (iota n)
  let k = length ends
  let lens = tabulate k (\i -> i32.i64 (if i == 0 then ends[0] else ends[i] - ends[i - 1] - 1))
  let spread = reduce_by_index (replicate 64 0) (+) 0 (map (\l -> i64.min 63 (i64.i32 (l / 4))) lens) (replicate k 1i32)
  in (lens, i32.maximum lens, spread)
