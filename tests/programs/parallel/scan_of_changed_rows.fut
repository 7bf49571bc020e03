-- Rows that are changed in place before they are scanned or reduced: each is read where it is needed, and changed in a copy.
-- ==
-- entry: sums
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[4, 5], [10, 12], [18, 21]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- compiled random input { [300][7]i32 } auto output

-- ==
-- entry: products
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[4, 5], [34, 35], [314, 315]] }
-- compiled random input { [1000][2]i32 } auto output

-- ==
-- entry: largest
-- input { [[1, 2], [3, 1], [0, 5]] } output { 5 [2, 3, 5] }
-- compiled random input { [1000][5]i32 } auto output

def changed [d] (row: [d]i32) : [d]i32 =
  loop r = copy row for i < d do r with [i] = r[i] + 3

entry sums [n] [d] (rows: [n][d]i32) : [n][d]i32 =
  scan (map2 (+)) (replicate d 0) (map changed rows)

entry products [n] (rows: [n][2]i32) : [n][2]i32 =
  scan (\a b -> [a[0] + a[1] * b[0], a[1] * b[1]]) [0, 1] (map changed rows)

def running [d] (row: [d]i32) : [d]i32 =
  loop r = copy row for i < d do r with [0] = i32.max r[0] r[i]

entry largest [n] [d] (rows: [n][d]i32) : (i32, [n]i32) =
  let firsts = map (\row -> (running row)[0]) rows
  in (i32.maximum firsts, firsts)
