-- A failing assertion on the host prints its condition.
-- ==
-- input { 3 } output { 4 }
-- input { -1 } error: Assertion is false: \(x >= 0\)

entry main (x: i32) : i32 = assert (x >= 0) (x + 1)
