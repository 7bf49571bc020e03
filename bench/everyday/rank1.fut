-- Ranks of values within each row by counting who is smaller.
def main [h][n] (xs: [h][n]f32) : [h][n]i32 =
  map (\r -> map2 (\i x -> i32.sum (map2 (\j y -> i32.bool (y < x || (y == x && j < i))) (iota n) r)) (iota n) r) xs
