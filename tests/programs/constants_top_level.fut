-- Constants: scalars, array literals, and an array that is computed once by a kernel.
-- ==
-- entry: lookup
-- input { [0i64, 3i64, 9i64] } output { [10i64, 19i64, 91i64] }
-- input { [10i64] } error: out of bounds

-- ==
-- entry: weights
-- input { [1.0f32, 2.0f32, 3.0f32, 4.0f32] } output { [2.0f32, 3.0f32] }

def size : i64 = 10

def squares : [size]i64 = map (\i -> i * i) (iota size)

def kernel : [3]f32 = [0.25, 0.5, 0.25]

entry lookup (is: []i64) : []i64 = map (\i -> squares[i] + size) is

entry weights [n] (xs: [n]f32) : []f32 =
  tabulate (n - 2) (\i -> loop s = 0 for j < 3 do s + kernel[j] * xs[i + j])
