-- Tuples at entry points, given as one value and as several.
-- ==
-- entry: several
-- input { 2 [1, 2] } output { [2, 4] 2 [false, true] }

-- ==
-- entry: one
-- script input { pair 5 } output { 6 }

type nested = (i32, (i32, bool))

entry pair (x: i32) : nested = (x, (1, true))

entry one (p: nested) : i32 = if p.1.1 then p.0 + p.1.0 else 0

entry several (k: i32) (xs: []i32) : ([]i32, i32, []bool) = (map (* k) xs, k, map (> 1) xs)
