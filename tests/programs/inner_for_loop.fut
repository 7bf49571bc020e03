-- Loops with a count in every thread: constant, from the host, and different in each thread.
-- ==
-- entry: powers
-- input { [1, 2, 3] 3 } output { [1, 8, 27] }
-- input { [1, 2, 3] 0 } output { [1, 1, 1] }
-- input { [1, 2, 3] -1 } output { [1, 1, 1] }

-- ==
-- entry: own_count
-- input { [0, 1, 5, 10] } output { [0, 0, 30, 285] }

-- ==
-- entry: constant
-- input { [1u8, 2u8] } output { [45u8, 32u8] }

-- ==
-- entry: narrow_counter
-- input { [0i8, 100i8, 127i8, -5i8] } output { [0, 4950, 8001, 0] }

entry powers (xs: []i32) (k: i32) : []i32 = map (\x -> loop p = 1 for _i < k do p * x) xs

entry own_count (xs: []i32) : []i32 = map (\x -> loop s = 0 for i < x do s + i * i) xs

entry constant (xs: []u8) : []u8 = map (\x -> loop x for i < 5i8 do x * 3 + u8.i8 i) xs

entry narrow_counter (xs: []i8) : []i32 = map (\x -> loop s = 0 for i < x do s + i32.i8 i) xs
