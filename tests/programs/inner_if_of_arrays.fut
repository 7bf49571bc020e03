-- Branches in threads that yield arrays, from different sources and of different layouts.
-- ==
-- input { [[1, 2], [3, 4]] [true, false] } output { [[2, 3], [4, 3]] }
-- compiled random input { [33][7]i32 [33]bool } auto output

entry main [n] [m] (xss: [n][m]i32) (bs: [n]bool) : [n][m]i32 =
  map2 (\xs b -> if b then map (+ 1) xs else reverse xs) xss bs
