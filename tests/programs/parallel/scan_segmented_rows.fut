-- A segmented scan of rows: the operator has a map inside, which must stay in the kernel.
-- ==
-- input { [true, false, true, false] [[1, 2], [3, 4], [5, 6], [7, 8]] } output { [[1, 2], [4, 6], [5, 6], [12, 14]] }
-- input { empty([0]bool) empty([0][2]i32) } output { empty([0][2]i32) }
-- compiled random input { [1000]bool [1000][3]i32 } auto output

entry main [n] [m] (flags: [n]bool) (xss: [n][m]i32) : [n][m]i32 =
  let op (a, xs) (b, ys) = (a || b, if b then ys else map2 (+) xs ys)
  in scan op (false, replicate m 0) (zip flags xss) |> map (.1)
