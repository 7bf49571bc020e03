-- Results whose size only the program knows.
-- ==
-- entry: from_value
-- input { [3, 1, 2] } output { [7, 7, 7] }
-- input { [0] } output { empty([0]i32) }

-- ==
-- entry: from_function
-- input { 10 } output { [0, 1, 0, 1] [0, 0, 2, 0, 2] }

-- ==
-- entry: two
-- input { 2i64 3i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] [[0i64, 1i64, 2i64, 3i64], [0i64, 1i64, 2i64, 3i64]] }

def digits (x: i32) : []i32 =
  let n = (loop (x, n) = (x, 0i64) while x > 0 do (x / 2, n + 1)).1
  in map (\i -> (x >> i32.i64 i) & 1) (iota n)

entry from_value (xs: []i32) : []i32 = replicate (i64.i32 xs[0]) 7

entry from_function (x: i32) : ([]i32, []i32) =
  let ds = digits x
  in (ds, map (* 2) (digits (x + 10)))

entry two (n: i64) (m: i64) : ([]i64, [][]i64) = (iota (n * m), replicate n (iota (m + 1)))
