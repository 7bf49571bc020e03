-- Loops with a condition in every thread, of different lengths, carrying several values.
-- ==
-- entry: collatz
-- input { [1i64, 2i64, 7i64, 27i64] } output { [0, 1, 16, 111] }

-- ==
-- entry: gcd
-- input { [12, 17, 0, 100] [18, 5, 3, 75] } output { [6, 1, 3, 25] }

-- ==
-- entry: find
-- input { [[1, 5, 3], [2, 2, 2]] 3 } output { [2i64, 3i64] }
-- input { empty([2][0]i32) 3 } output { [0i64, 0i64] }

entry collatz (xs: []i64) : []i32 =
  map (\x -> (loop (x, steps) = (x, 0) while x != 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)).1) xs

entry gcd [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  map2 (\x y -> (loop (a, b) = (x, y) while b != 0 do (b, a % b)).0) xs ys

entry find [n] [m] (xss: [n][m]i32) (x: i32) : [n]i64 =
  map (\xs -> loop i = 0 while i < m && xs[i] != x do i + 1) xss
