-- Every point runs through its row as often as there are other rows, one after the other: it is read by columns.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] [[1, 0, 1], [2, 2, 2]] } output { [[8, 12], [20, 30]] }
-- input { empty([0][3]i32) [[1, 2, 3], [4, 5, 6]] } output { empty([0][2]i32) }
-- input { [[1], [2]] empty([0][1]i32) } output { empty([2][0]i32) }
-- compiled random input { [300][7]i32 [5][7]i32 } auto output
-- compiled random input { [33][65]i32 [65][65]i32 } auto output

def main [n] [m] [k] (rows: [n][m]i32) (others: [k][m]i32) : [n][k]i32 =
  #[sequential_inner]
  map (\row -> map (\other -> i32.sum (map2 (\x y -> if y == 0 then x * 2 else x * y) row other)) others) rows
