-- Rows that points make in branches, element by element, and what fails for rows without elements.
-- ==
-- entry: checked
-- input { 0i64 [[1,2],[3,4]] } output { [[0,0],[3,4]] }
-- compiled random input { 7i64 [50][33]i32 } auto output
-- compiled random input { 1i64 [9][300]i32 } auto output
-- input { 1i64 empty([2][0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]
-- input { 3i64 [[1],[2]] } error: Index \[3\] out of bounds

-- ==
-- entry: in_blocks
-- compiled random input { [7][5][33]i32 } auto output
-- compiled random input { [3][40][0]i32 } auto output
-- compiled random input { [2][100][100]i32 } auto output

-- ==
-- entry: divided
-- compiled random input { [3][9][9]f64 [3][9][4]f64 } auto output
-- compiled random input { [2][70][70]f64 [2][70][30]f64 } auto output

entry checked [n] [m] (k: i64) (xs: [n][m]i32) : [n][m]i32 =
  let pivot = map (/ 3) xs[k]
  in map2 (\i row -> if i == k then pivot else map2 (\x p -> x - row[0] * p) row pivot) (iota n) xs

entry in_blocks [b] [n] [m] (xs: [b][n][m]i32) : [b][n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\a -> let s = map i32.sum a
             in loop a = copy a for k < 3 do
               map3 (\i x row -> if i % 2 == 0 then row else map (\y -> y * x + i32.i64 k) row) (iota n) s a) xs

-- By Gauss-Jordan elimination, of matrices made heavy along their diagonals.
entry divided [b] [n] [m] (as: [b][n][n]f64) (bs: [b][n][m]f64) : [b][n][m]f64 =
  let divide a b =
    let both = map2 (++) (map2 (\i row -> map2 (\j x -> if i == j then x + f64.i64 n else x) (iota n) row) (iota n) a) b
    let done = loop both for k < n do
      let pivot = map (/ both[k, k]) both[k]
      in map2 (\i row -> if i == k then pivot else map2 (\x p -> x - row[k] * p) row pivot) (iota n) both
    in map (\row -> map (\j -> row[n + j]) (iota m)) done
  in map2 divide as bs
