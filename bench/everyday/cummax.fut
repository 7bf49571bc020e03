-- Drawdown: how far each day lies below what was highest before, and the greatest by row.
def main [h][n] (xs: [h][n]f32) : ([h][n]f32, [h]f32) =
  let dd = map (\r -> map2 (\m x -> (m - x) / (m + 1)) (scan f32.max (-f32.inf) r) r) xs
  in (dd, map f32.maximum dd)
