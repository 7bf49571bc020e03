-- Steps in each of which all points run through rows of their own, and are counted: the rows are laid out by columns once.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 3 } output { 1 [110, 320] }
-- input { [[1], [2]] 0 } output { 0 [0, 0] }
-- input { empty([0][3]i32) 2 } output { 0 empty([0]i32) }
-- input { empty([3][0]i32) 2 } output { 0 [0, 0, 0] }
-- compiled random input { [300][7]i32 5 } auto output
-- compiled random input { [33][65]i32 2 } auto output

def main [n] [m] (rows: [n][m]i32) (steps: i32) : (i32, [n]i32) =
  loop (_, sums) = (0, replicate n 0)
  for k < steps do
    let next = map2 (\row s -> (loop t = s for j < m do t * 2 + row[j] * k)) rows sums
    in (i32.sum (map2 (\a b -> if a % 2 == b % 2 then 0 else 1) next sums), next)
