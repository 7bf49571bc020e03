-- A product with a bias and a clipped result, in f64, whose sums are exact.
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] [[1.0, -1.0], [2.0, -3.0]] [0.5, 1.5] }
-- output { [[5.5f64, 0.0f64], [11.5f64, 0.0f64]] }
-- input { empty([0][2]f64) [[1.0], [2.0]] [1.0] } output { empty([0][1]f64) }

entry main [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64) (bias: [m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.max 0 (loop s = bias[j] for l < k do s + a[i, l] * b[l, j]))
