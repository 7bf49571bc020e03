-- A stencil of one dimension; past the ends the nearest element is read.
-- ==
-- input { [8] } output { [32] }
-- input { [8, 16] } output { [40, 56] }
-- input { [8, 16, 0, 4] } output { [40, 40, 20, 12] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- compiled random input { [257]i32 } auto output

entry main [n] (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> xs[i64.max 0 (i - 1)] + 2 * xs[i] + xs[i64.min (n - 1) (i + 1)])
