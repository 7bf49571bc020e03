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

-- ==
-- entry: choices
-- input { [4, 5, 6] [true, false, true, true, true, false, true, true, true, false, true, true, true, false, true, true, true, false, true, true, true, false, true, true, true, false, true, true, true, false, true, true] } output { [31, 32, 16] }

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

-- Each choice yields the one before it or that with an element changed.
entry choices [n] (xs: [n]i32) (cs: [32]bool) : [n]i32 =
  let x0 = scan (+) 0 xs
  let x1 = if cs[0] then x0 with [0] = 0 else x0
  let x2 = if cs[1] then x1 with [1] = 1 else x1
  let x3 = if cs[2] then x2 with [0] = 2 else x2
  let x4 = if cs[3] then x3 with [1] = 3 else x3
  let x5 = if cs[4] then x4 with [0] = 4 else x4
  let x6 = if cs[5] then x5 with [1] = 5 else x5
  let x7 = if cs[6] then x6 with [0] = 6 else x6
  let x8 = if cs[7] then x7 with [1] = 7 else x7
  let x9 = if cs[8] then x8 with [0] = 8 else x8
  let x10 = if cs[9] then x9 with [1] = 9 else x9
  let x11 = if cs[10] then x10 with [0] = 10 else x10
  let x12 = if cs[11] then x11 with [1] = 11 else x11
  let x13 = if cs[12] then x12 with [0] = 12 else x12
  let x14 = if cs[13] then x13 with [1] = 13 else x13
  let x15 = if cs[14] then x14 with [0] = 14 else x14
  let x16 = if cs[15] then x15 with [1] = 15 else x15
  let x17 = if cs[16] then x16 with [0] = 16 else x16
  let x18 = if cs[17] then x17 with [1] = 17 else x17
  let x19 = if cs[18] then x18 with [0] = 18 else x18
  let x20 = if cs[19] then x19 with [1] = 19 else x19
  let x21 = if cs[20] then x20 with [0] = 20 else x20
  let x22 = if cs[21] then x21 with [1] = 21 else x21
  let x23 = if cs[22] then x22 with [0] = 22 else x22
  let x24 = if cs[23] then x23 with [1] = 23 else x23
  let x25 = if cs[24] then x24 with [0] = 24 else x24
  let x26 = if cs[25] then x25 with [1] = 25 else x25
  let x27 = if cs[26] then x26 with [0] = 26 else x26
  let x28 = if cs[27] then x27 with [1] = 27 else x27
  let x29 = if cs[28] then x28 with [0] = 28 else x28
  let x30 = if cs[29] then x29 with [1] = 29 else x29
  let x31 = if cs[30] then x30 with [0] = 30 else x30
  let x32 = if cs[31] then x31 with [1] = 31 else x31
  in map (+ 1) x32
