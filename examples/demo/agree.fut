-- Compares two results of the same computation: how many elements differ by more than rounding explains, and the largest
-- difference, both relative to the largest element expected. A result that is not a number counts as different.
entry main [a] [b] [c] (result: [a][b][c]f32) (expected: [a][b][c]f32) : (i64, f32) =
  let xs = flatten_3d result
  let ys = flatten_3d expected
  let largest = f32.max 1e-30 (f32.maximum (map f32.abs ys))
  let differences = map2 (\x y -> f32.abs (x - y) / largest) xs ys
  in (i64.sum (map (\d -> i64.bool (!(d <= 1e-5))) differences), f32.maximum differences)
