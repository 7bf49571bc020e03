-- A top-level constant that takes a host loop to compute, and constants that depend on one another.
-- ==
-- input { [0i64, 5i64, 9i64] } output { [54i64, 47i64, 0i64] }

def fibonacci : [10]i64 =
  loop fib = replicate 10 1 for i < 8 do fib with [i + 2] = fib[i] + fib[i + 1]

def last = fibonacci[9]

def table = map (\x -> last - x) fibonacci

entry main (is: []i64) : []i64 = map (\i -> table[i]) is
