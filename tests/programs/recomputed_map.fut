-- A map of the indices that kernel extraction keeps as an array of its own: it is computed where it is read, and kept where
-- it is also a result.
-- ==
-- entry: read
-- input { 4i64 3i64 } output { [[true, true, true], [true, true, true], [false, true, true], [false, false, true]] }
-- input { 0i64 3i64 } output { empty([0][3]bool) }

-- ==
-- entry: read_and_returned
-- input { 3i64 } output { [0i64, 1i64, 4i64] [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }

entry read (n: i64) (m: i64) =
  let rows = map (\i -> i * i) (iota n)
  in map (\r -> map (\j -> r <= (j + 1) * (j + 1)) (iota m)) rows

entry read_and_returned (n: i64) =
  let rows = map (\i -> i * i) (iota n)
  in (rows, map (\r -> map (+ r) (iota n)) rows)
