-- A host loop whose array grows at every step, so its size is known only afterwards.
-- ==
-- input { [1] 0 } output { [1] }
-- input { [1] 3 } output { [1, 1, 2, 2, 3, 3, 4, 4] }
-- input { empty([0]i32) 3 } output { empty([0]i32) }

entry main (xs: []i32) (k: i32) : []i32 = loop xs for i < k do xs ++ map (+ i) xs
