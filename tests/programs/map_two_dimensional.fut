-- Nested maps over a matrix, wide, narrow and empty.
-- ==
-- input { [[1, 2], [3, 4]] [10, 20] } output { [[-8, -16], [-4, -12]] }
-- input { empty([0][2]i32) [1, 2] } output { empty([0][2]i32) }
-- input { empty([2][0]i32) empty([0]i32) } output { empty([2][0]i32) }
-- compiled random input { [1][257]i32 [257]i32 } auto output
-- compiled random input { [257][1]i32 [1]i32 } auto output
-- compiled random input { [127][131]i32 [131]i32 } auto output

entry main [n] [m] (xss: [n][m]i32) (ys: [m]i32) : [n][m]i32 = map (\xs -> map2 (\x y -> x * 2 - y) xs ys) xss
