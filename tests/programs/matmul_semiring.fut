-- Shortest paths of up to two steps: a product with minimum for sum and sum for product.
-- ==
-- input { [[0, 4, 1000], [1000, 0, 3], [2, 1000, 0]] } output { [[0, 2, 3], [2, 0, 1], [1, 3, 0]] }
-- compiled random input { [13][13]i32 } auto output

entry main [n] (d: [n][n]i32) : [n][n]i32 =
  map (\row ->
    #[sequential_inner] map (\column -> reduce i32.min i32.highest (map2 (\x y -> x / 2 + y / 2) row column)) (transpose d)) d
