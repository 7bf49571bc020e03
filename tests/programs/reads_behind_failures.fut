-- The host reads elements that kernels computed, in a loop: of one that failed before anything is made of them.
-- ==
-- entry: reads
-- input { [1i64, 7i64, 0i64] [10i64, 20i64] } error: Index \[7\]
-- input { [1i64, 1i64, 0i64] [10i64, 20i64] } output { 70i64 }
entry reads [n] [m] (is: [n]i64) (xs: [m]i64) : i64 =
  let (_, s) =
    loop (ys, s) = (xs, 0) for _i < 2 do
      let zs = map (\j -> ys[j]) is
      let t = zs[0] + zs[n - 1]
      let w = if t > 1000 then zs[1] else 5
      in (map (+ w) ys, s + t)
  in s
