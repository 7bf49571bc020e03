-- Host loops inside one another around kernels, the inner count depending on the outer.
-- ==
-- input { [1, 2, 3] 3i64 } output { [23, 31, 39] }
-- input { [1, 2, 3] 0i64 } output { [1, 2, 3] }

entry main [n] (xs: [n]i32) (k: i64) : [n]i32 =
  loop xs for i < k do
    let ys = map (+ i32.i64 i) xs
    in loop ys for j < i do map (\y -> y * 2 - i32.i64 j) ys
