entry main [n] (cap: i64) (weight: [n]u8) (value: [n]u8) : i32 =
  let best = loop best = replicate (cap+1) 0i32 for i < n do
    let w = i64.u8 weight[i] + 1
    in tabulate (cap+1) (\c -> if c < w then best[c] else i32.max best[c] (best[c-w] + i32.u8 value[i]))
  in best[cap]
