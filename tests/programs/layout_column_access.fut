-- Threads walk along columns, rows and diagonals of the same matrix.
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [28, 41, 54] [18, 57, 96] [33, 43, 47] }
-- compiled random input { [67][67]i32 } auto output

entry main [n] (m: [n][n]i32) : ([n]i32, [n]i32, [n]i32) =
  ( tabulate n (\j -> loop s = 0 for i < n do 3 * s + m[i, j])
  , tabulate n (\i -> loop s = 0 for j < n do 3 * s + m[i, j])
  , tabulate n (\i -> loop s = 0 for j < n do 3 * s + m[j, (i + j) % n]))
