-- Products of many matrices of four by four, and points moved by them.
def main [n] (as: [n][4][4]f32) (bs: [n][4][4]f32) (ps: [n][4]f32) : ([n][4][4]f32, [n][4]f32) =
  let cs = map2 (\a b -> map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a) as bs
  in (cs, map2 (\c p -> map (\r -> f32.sum (map2 (*) r p)) c) cs ps)
