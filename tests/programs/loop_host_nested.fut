-- Host loops inside one another around kernels, the inner count depending on the outer.
-- ==
-- entry: main
-- input { [1, 2, 3] 3i64 } output { [23, 31, 39] }
-- input { [1, 2, 3] 0i64 } output { [1, 2, 3] }

-- The inner loop begins with the array that the outer carries, and makes the next one.
-- ==
-- entry: carried
-- input { [1, 2, 3] 4i64 } output { [1490, 2219, 2948] }
-- input { [1, 2, 3] 1i64 } output { [2, 3, 4] }

entry main [n] (xs: [n]i32) (k: i64) : [n]i32 =
  loop xs for i < k do
    let ys = map (+ i32.i64 i) xs
    in loop ys for j < i do map (\y -> y * 2 - i32.i64 j) ys

entry carried [n] (xs: [n]i32) (k: i64) : [n]i32 =
  loop xs = map (+ 1) xs for i < k do
    loop xs for j < i do map (\x -> x * 3 + i32.i64 j) (rotate 1 xs)
