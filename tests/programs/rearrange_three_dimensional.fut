-- All orders of three dimensions, each of a different size.
-- ==
-- input { [[[1, 2], [3, 4], [5, 6]]] }
-- output {
--   [[[1, 3, 5], [2, 4, 6]]]
--   [[[1, 2]], [[3, 4]], [[5, 6]]]
--   [[[1], [2]], [[3], [4]], [[5], [6]]]
--   [[[1, 3, 5]], [[2, 4, 6]]]
--   [[[1], [3], [5]], [[2], [4], [6]]]
-- }
-- input { empty([2][0][3]i32) }
-- output { empty([2][3][0]i32) empty([0][2][3]i32) empty([0][3][2]i32) empty([3][2][0]i32) empty([3][0][2]i32) }
-- compiled random input { [2][3][5]i32 } auto output

def acb 'a (xs: [][][]a) = map transpose xs

def bac 'a (xs: [][][]a) = transpose xs

entry main (xs: [][][]i32) : ([][][]i32, [][][]i32, [][][]i32, [][][]i32, [][][]i32) =
  (acb xs, bac xs, acb (bac xs), bac (acb xs), bac (acb (bac xs)))
