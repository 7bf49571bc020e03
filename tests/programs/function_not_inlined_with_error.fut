-- An index error inside a function that stays one, called from a thread and from the host.
-- ==
-- entry: thread
-- input { [10, 20, 30] [0, 2] } output { [20, 60] }
-- input { [10, 20, 30] [0, 3] } error: out of bounds

-- ==
-- entry: host
-- input { [10, 20, 30] 1 } output { 21 }
-- input { [10, 20, 30] -1 } error: out of bounds

#[noinline]
def element (xs: [3]i32) (i: i32) : i32 = xs[i]

entry thread [n] (xs: [3]i32) (is: [n]i32) : [n]i32 = map (\i -> element xs i * 2) is

entry host (xs: [3]i32) (i: i32) : i32 = element xs i + 1
