-- Every thread takes its own slice, contiguous or with a step, and sums it in a loop.
-- ==
-- entry: windows
-- input { [1, 2, 3, 4, 5] 2i64 } output { [3, 5, 7, 9] }
-- input { [1, 2, 3, 4, 5] 5i64 } output { [15] }
-- input { [1, 2, 3, 4, 5] 6i64 } output { empty([0]i32) }
-- input { [1, 2, 3, 4, 5] 0i64 } output { [0, 0, 0, 0, 0, 0] }

-- ==
-- entry: backwards
-- input { [1, 2, 3, 4, 5] } output { [1, 5, 17, 49, 129] }

def sum_of (xs: []i32) : i32 = loop s = 0 for x in xs do s + x

entry windows [n] (xs: [n]i32) (k: i64) : []i32 = tabulate (n - k + 1) (\i -> sum_of xs[i:i + k])

-- Thread i weighs the elements up to i, last one first.
entry backwards [n] (xs: [n]i32) : []i32 =
  tabulate n (\i -> loop s = 0 for x in xs[i:-1:-1] do 2 * s + x)
