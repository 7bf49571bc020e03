-- Prefix maxima of rows, element by element.
-- ==
-- input { [[1, 5], [3, 2], [2, 9]] } output { [[1, 5], [3, 5], [3, 9]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- compiled random input { [300][3]i32 } auto output

entry main [n] [m] (xss: [n][m]i32) : [n][m]i32 = scan (map2 i32.max) (replicate m i32.lowest) xss
