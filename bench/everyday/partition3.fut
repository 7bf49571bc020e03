entry main [n] (x: [n]i32) : (i64, i64, i32) =
  let (a, b, c) = partition2 (< -1000000000) (> 1000000000) x
  in (length a, length b, reduce (^) 0 a ^ reduce (+) 0 b ^ reduce i32.max i32.lowest c)
