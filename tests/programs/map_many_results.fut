-- One kernel with several results of several types, some of them unused by the next.
-- ==
-- input { [1, 2, 3] } output { [-2i64, 3i64, 4i64] [false, true, true] [4, 7, 6] [1u8, 2u8, 3u8] }
-- input { empty([0]i32) } output { empty([0]i64) empty([0]bool) empty([0]i32) empty([0]u8) }
-- compiled random input { [257]i32 } auto output

entry main [n] (xs: [n]i32) : ([n]i64, [n]bool, [n]i32, [n]u8) =
  let (as, bs, cs, ds) = unzip4 (map (\x -> (i64.i32 x + 1, x > 1, x ^ 5, u8.i32 x)) xs)
  let es = map2 (\a b -> if b then a else -a) as bs
  in (es, bs, cs, ds)
