-- A reduction over a whole array, with a map before it.
-- ==
-- input { [1, 2, 3] [4, 5, 6] } output { 32 }
-- input { empty([0]i32) empty([0]i32) } output { 0 }
-- input { [7] [-6] } output { -42 }
-- compiled random input { [257]i32 [257]i32 } auto output
-- compiled random input { [100003]i32 [100003]i32 } auto output

entry main [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)
