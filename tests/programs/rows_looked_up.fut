-- Pairs of rows of which one is looked up, with or without a check of its place.
-- ==
-- entry: unchecked checked
-- input { [2i64, 0i64] [[1, 2], [3, 4], [5, 6]] [[7, 8], [9, 10]] }
-- output { [[[5, 6], [7, 8]], [[1, 2], [9, 10]]] }

entry unchecked [n] [m] [k] (is: [k]i64) (xs: [n][m]i32) (ys: [k][m]i32) : [k][2][m]i32 =
  #[unsafe] map2 (\i y -> [xs[i], y]) is ys

entry checked [n] [m] [k] (is: [k]i64) (xs: [n][m]i32) (ys: [k][m]i32) : [k][2][m]i32 =
  map2 (\i y -> [xs[i], y]) is ys
