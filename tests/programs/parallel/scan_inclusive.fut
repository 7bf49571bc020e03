-- Prefix sums, around the sizes of blocks.
-- ==
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [5] } output { [5] }
-- compiled random input { [255]i32 } auto output
-- compiled random input { [256]i32 } auto output
-- compiled random input { [257]i32 } auto output
-- compiled random input { [10007]i32 } auto output

entry main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
