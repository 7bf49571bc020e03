-- Results that are stored over arguments and over what ends, into parts of larger arrays, and that threads keep while they compute them.
-- ==
-- entry: over
-- input { [1, 2, 3] [10, 20, 30] } output { [12, 24, 36] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: mirrored
-- input { [1, 2, 3] } output { [7, 6, 5] }

-- ==
-- entry: twice
-- input { [1, 2, 3] } output { [2, 4, 6] [3, 6, 9] }

-- ==
-- entry: parts
-- input { [1, 2] } output { [2, 3, 2, 4, 7] }
-- input { empty([0]i32) } output { [7] }

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[2, 3], [4, 5], [1, 2], [3, 4], [1, 4], [9, 16]] }

-- ==
-- entry: kept
-- input { 2i64 3i64 } output { [[0, 1, 2], [1, 2, 3]] }
-- input { 0i64 3i64 } output { empty([0][3]i32) }
-- input { 2i64 1i64 } output { [[0], [1]] }

-- ==
-- entry: ended
-- input { [1, 2, 3] [2i64, 0i64] } output { [1, 6, 203] }
-- input { [5] empty([0]i64) } output { [15] }

-- ==
-- entry: columns
-- input { true [1, 2, 3] [1i64] } output { [[1], [2500], [9]] }
-- input { false [1, 2, 3] [1i64] } output { [[1], [50], [3]] }

-- ==
-- entry: steps
-- input { 2i64 [1, 2, 3] [2i64, 0i64] } output { [1, 18, 403] }
-- input { 0i64 [1, 2, 3] [2i64, 0i64] } output { [1, 2, 3] }

-- ==
-- entry: numbers
-- input { [7i64] } output { [0i64] }
-- input { [7i64, 8i64] } output { [7i64, 15i64] }

entry over [n] (xs: *[n]i32) (ys: [n]i32) : *[n]i32 = map2 (\x y -> x * 2 + y) xs ys

entry mirrored [n] (xs: *[n]i32) : *[n]i32 = tabulate n (\i -> 2 * xs[n - 1 - i] + xs[i])

entry twice [n] (xs: *[n]i32) : (*[n]i32, *[n]i32) = (map (* 2) xs, map (* 3) xs)

entry parts (xs: []i32) : *[]i32 = map (+ 1) xs ++ map (* 2) xs ++ [7]

entry rows (xss: [][2]i32) : *[][2]i32 = map (map (+ 1)) xss ++ xss ++ map (map (\x -> x * x)) xss

entry kept (n: i64) (m: i64) : *[n][m]i32 =
  tabulate n (\i -> loop row = replicate m (i32.i64 i) for j < m - 1 do row with [j + 1] = row[j] + 1)

def marked [n] [m] (xs: [n]i32) (places: [m]i64) : [n]i32 =
  scatter (copy xs) places (map (\p -> 50 * i32.i64 p) places)

entry ended [n] [m] (xs: [n]i32) (places: [m]i64) : [n]i32 =
  map2 (\y x -> 2 * y + x) (marked xs places) xs

entry columns [n] [m] (squared: bool) (xs: [n]i32) (places: [m]i64) : [n][1]i32 =
  let ys = marked xs places
  in if squared then map (\y -> [y * y]) ys else transpose [ys]

entry steps [n] [m] (k: i64) (xs: [n]i32) (places: [m]i64) : [n]i32 =
  loop xs for _i < k do map2 (\y x -> 2 * y + x) (marked xs places) xs

entry numbers [n] (xs: [n]i64) : [n]i64 =
  let order = copy (iota n)
  in if n <= 1 then order else scan (+) 0 xs
