-- A stencil of one dimension with two neighbours on each side; at the ends indices are mirrored.
-- ==
-- input { [1, 2, 3] } output { [51, 41, 52] }
-- input { [1, 2, 3, 4, 5] } output { [51, 42, 57, 87, 114] }
-- compiled random input { [101]i32 } auto output

def mirror (n: i64) (i: i64) : i64 = if i < 0 then -i - 1 else if i >= n then 2 * n - 1 - i else i

entry main [n] (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> loop s = 0 for d in [-2, -1, 0, 1, 2] do s * 2 + xs[mirror n (i + d)])
