-- In-place updates of elements on the host, at run-time positions, of consumed inputs and of fresh arrays.
-- ==
-- entry: element
-- input { [1, 2, 3] 1i64 50 } output { [1, 50, 3] }
-- input { [1, 2, 3] 3i64 50 } error: out of bounds
-- input { [1, 2, 3] -1i64 50 } error: out of bounds

-- ==
-- entry: element_2d
-- input { [[1, 2], [3, 4]] 1i64 0i64 } output { [[1, 2], [20, 4]] }

-- ==
-- entry: swap
-- input { [1, 2, 3] 0i64 2i64 } output { [3, 2, 1] }
-- input { [1, 2, 3] 1i64 1i64 } output { [1, 2, 3] }

-- ==
-- entry: first_terms
-- input { 10i64 } output { [1i64, 1i64, 2i64, 3i64, 5i64, 8i64, 13i64, 21i64, 34i64, 55i64] }

entry element (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x

entry element_2d (xs: *[][]i32) (i: i64) (j: i64) : *[][]i32 = xs with [i, j] = xs[j, i] * 10

entry swap (xs: *[]i32) (i: i64) (j: i64) : *[]i32 =
  let (a, b) = (xs[i], xs[j])
  in (xs with [i] = b) with [j] = a

entry first_terms (n: i64) : [n]i64 =
  loop fib = replicate n 1 for i < n - 2 do fib with [i + 2] = fib[i] + fib[i + 1]
