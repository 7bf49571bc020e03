-- Each thread updates elements and slices of a private copy of its row.
-- ==
-- entry: element
-- input { [[1, 2, 3], [4, 5, 6]] [0i64, 2i64] } output { [[100, 2, 3], [4, 5, 100]] }
-- input { [[1, 2, 3], [4, 5, 6]] [0i64, 3i64] } error: out of bounds

-- ==
-- entry: part
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[1, 4, 1, 4], [5, 8, 5, 8]] }

-- ==
-- entry: running
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }

entry element [n] [m] (xss: [n][m]i32) (is: [n]i64) : [n][m]i32 =
  map2 (\xs i -> copy xs with [i] = 100) xss is

entry part [n] (xss: [n][4]i32) : [n][4]i32 = map (\xs -> copy xs with [1:3] = [xs[3], xs[0]]) xss

entry running [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> loop ys = copy xs for i < m - 1 do ys with [i + 1] = ys[i] + ys[i + 1]) xss
