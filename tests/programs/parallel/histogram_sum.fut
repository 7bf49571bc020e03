-- Values are added up by key; keys out of range count for nothing.
-- ==
-- input { 3i64 [0i64, 2i64, 0i64, -1i64, 3i64] [1, 2, 3, 4, 5] } output { [4, 0, 2] }
-- input { 3i64 empty([0]i64) empty([0]i32) } output { [0, 0, 0] }
-- input { 0i64 [0i64] [1] } output { empty([0]i32) }
-- compiled random input { 17i64 [1000]i64 [1000]i32 } auto output

entry main [n] (k: i64) (keys: [n]i64) (xs: [n]i32) : [k]i32 =
  hist (+) 0 k (map (\i -> if i > 100 then i % 20 else i) keys) xs
