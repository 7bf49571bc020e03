-- A host loop in which two arrays change places at every step.
-- ==
-- input { [1, 2] [10, 20] 0 } output { [1, 2] [10, 20] }
-- input { [1, 2] [10, 20] 1 } output { [10, 20] [1, 2] }
-- input { [1, 2] [10, 20] 7 } output { [1795, 3590] [11113, 22226] }
-- compiled random input { [257]i32 [257]i32 10 } auto output

entry main [n] (a: [n]i32) (b: [n]i32) (k: i32) : ([n]i32, [n]i32) =
  loop (a, b) for i < k do (b, map2 (\x y -> x + y * i) a b)
