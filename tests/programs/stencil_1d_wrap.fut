-- A stencil of one dimension on a ring, by remainders.
-- ==
-- input { [1] } output { [0] }
-- input { [1, 2] } output { [2, -2] }
-- input { [1, 2, 3, 4] } output { [4, 0, 0, -4] }
-- compiled random input { [127]i32 } auto output

entry main [n] (xs: [n]i32) : [n]i32 = tabulate n (\i -> xs[(i - 1) % n] - 2 * xs[i] + xs[(i + 1) % n])
