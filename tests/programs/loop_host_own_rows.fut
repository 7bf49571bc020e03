-- Steps in each of which every point runs through a row of its own, of an array that stays: it is laid out by columns once.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 3 } output { [27, 54] }
-- input { [[1], [2]] 0 } output { [0, 0] }
-- input { empty([0][3]i32) 2 } output { empty([0]i32) }
-- input { empty([3][0]i32) 2 } output { [0, 0, 0] }
-- compiled random input { [300][7]i32 5 } auto output
-- compiled random input { [33][65]i32 2 } auto output

def main [n] [m] (rows: [n][m]i32) (steps: i32) : [n]i32 =
  loop sums = replicate n 0 for k < steps do
    map2 (\row s -> (loop t = s for j < m do t + row[j] * (k % 3)) + i32.i64 m) rows sums
