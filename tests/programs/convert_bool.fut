-- Booleans to and from numbers, and the logical operators, which do not evaluate what they need not.
-- ==
-- entry: numbers
-- input { [true, false] } output { [1, 0] [1u8, 0u8] [1.0f32, 0.0f32] [1i64, 0i64] }

-- ==
-- entry: from_numbers
-- input { [0, 1, -5] } output { [false, true, true] }

-- ==
-- entry: logic
-- input { [true, true, false, false] [true, false, true, false] }
-- output {
--   [true, false, false, false]
--   [true, true, true, false]
--   [false, false, true, true]
--   [true, false, false, true]
--   [false, true, true, false]
-- }

-- ==
-- entry: guarded
-- input { [1, 2, 3] [-1i64, 0i64, 2i64, 3i64] } output { [false, false, true, false] }

entry numbers [n] (bs: [n]bool) : ([n]i32, [n]u8, [n]f32, [n]i64) =
  (map i32.bool bs, map u8.bool bs, map f32.bool bs, map i64.bool bs)

entry from_numbers [n] (xs: [n]i32) : [n]bool = map bool.i32 xs

entry logic [n] (as: [n]bool) (bs: [n]bool) : ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  (map2 (&&) as bs, map2 (||) as bs, map (\a -> !a) as, map2 (==) as bs, map2 (!=) as bs)

entry guarded [n] (xs: [n]i32) (is: []i64) : []bool = map (\i -> i >= 0 && i < n && xs[i] > 1) is
