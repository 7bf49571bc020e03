-- Points whose loops read the same elements, which a block's threads stage together: fewer than a block has, as many, and more.
-- ==
-- input { [1, 2, 3] [4, 5] } output { [9i64, 18i64, 27i64] [1i64, -1i64, 1i64] }
-- input { [1] empty([0]i32) } output { [0i64] [-1i64] }
-- input { empty([0]i32) [1] } output { empty([0]i64) empty([0]i64) }
-- compiled random input { [300]i32 [255]i32 } auto output
-- compiled random input { [255]i32 [256]i32 } auto output
-- compiled random input { [257]i32 [1027]i32 } auto output

def main [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n]i64, [n]i64) =
  unzip (map (\x -> loop (sum, last) = (0, -1) for j < m do
                     let term = i64.i32 x * i64.i32 ys[j]
                     in (sum + term, if term % 2 == 0 then last else j)) xs)
