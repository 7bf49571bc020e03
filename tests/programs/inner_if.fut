-- Branches in threads, nested, with several results, and with work only on one side.
-- ==
-- entry: sides
-- input { [-5, 0, 5, 50] } output { [-100, 0, 1, 100] }

-- ==
-- entry: several
-- input { [1, 2, 3, 4] } output { [3, 1, 9, 2] [false, true, false, true] [1.0f32, 0.5f32, 3.0f32, 0.5f32] }

-- ==
-- entry: one_sided_loop
-- input { [0, 3, -2] } output { [7, 59, 7] }

entry sides (xs: []i32) : []i32 =
  map (\x -> if x < 0 then (if x < -3 then -100 else -1) else if x == 0 then 0 else if x > 10 then 100 else 1) xs

entry several (xs: []i32) : ([]i32, []bool, []f32) =
  unzip3 (map (\x -> if x % 2 == 0 then (x / 2, true, 0.5) else (x * 3, false, f32.i32 x)) xs)

entry one_sided_loop (xs: []i32) : []i32 = map (\x -> if x > 0 then loop s = x for i < 4 do s * 2 + i else 7) xs
