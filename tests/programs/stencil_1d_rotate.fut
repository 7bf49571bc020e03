-- A stencil written with rotations of the whole array.
-- ==
-- input { [1, 2, 3, 4] } output { [214, 321, 432, 143] }
-- input { [5] } output { [555] }
-- compiled random input { [31]i32 } auto output

entry main [n] (xs: [n]i32) : [n]i32 = map3 (\a b c -> a + 10 * b + 100 * c) (rotate (-1) xs) xs (rotate 1 xs)
