-- Maps of one dimension, over sizes around those of a block.
-- ==
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [1] } output { [4] }
-- input { [1, 2] } output { [4, 7] }
-- compiled random input { [255]i32 } auto output
-- compiled random input { [256]i32 } auto output
-- compiled random input { [257]i32 } auto output
-- compiled random input { [10007]i32 } auto output

entry main [n] (xs: [n]i32) : [n]i32 = map (\x -> x * x + 3) xs
