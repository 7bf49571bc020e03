-- Matrix product.
-- ==
-- entry: main
--
-- input { [[1f32, 2f32], [3f32, 4f32]] [[5f32, 6f32], [7f32, 8f32]] } output { [[19f32, 22f32], [43f32, 50f32]] }
-- input { [[1f32, 2f32, 3f32]] [[4f32], [5f32], [6f32]] } output { [[32f32]] }
-- input { [[2f32], [3f32]] [[4f32, 5f32]] } output { [[8f32, 10f32], [12f32, 15f32]] }
-- input { empty([2][0]f32) empty([0][3]f32) } output { [[0f32, 0f32, 0f32], [0f32, 0f32, 0f32]] }
-- input { empty([0][2]f32) [[1f32], [2f32]] } output { empty([0][1]f32) }
--
-- compiled random input { [17][31]f32 [31][13]f32 } auto output
-- compiled random input { [1][257]f32 [257][1]f32 } auto output
-- compiled random input { [64][65]f32 [65][63]f32 } auto output
--
-- notest compiled random input { [2048][2048]f32 [2048][2048]f32 } auto output

entry main [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
