-- Products of a matrix and a vector, from both sides.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] [1, 0, -1] [10, 20] } output { [-2, -2] [90, 120, 150] }
-- input { empty([2][0]i32) empty([0]i32) [1, 2] } output { [0, 0] empty([0]i32) }
-- compiled random input { [31][257]i32 [257]i32 [31]i32 } auto output

entry main [n] [m] (a: [n][m]i32) (x: [m]i32) (y: [n]i32) : ([n]i32, [m]i32) =
  ( map (\row -> loop s = 0 for j < m do s + row[j] * x[j]) a
  , map (\column -> loop s = 0 for i < n do s + column[i] * y[i]) (transpose a))
