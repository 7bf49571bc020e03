-- Kapur's maximum-entropy threshold: histogram, two prefix sums, entropy of both classes at each level, binarised image.
entry main [h][w] (img: [h][w]u8) : (i64, f64, [h][w]u8) =
  let grey = map (map (\x -> i64.u8 x * i64.u8 x / 255)) img
  let counts = hist (+) 0i32 256 (flatten grey) (replicate (h*w) 1)
  let p = map (\c -> f64.i32 c / f64.i64 (h*w)) counts
  let cp = scan (+) 0 p
  let ce = scan (+) 0 (map (\x -> if x > 0 then x * f64.log x else 0) p)
  let total = last ce
  let score = map2 (\a e -> if a > 1e-9 && a < 1 - 1e-9
                            then f64.log (a * (1 - a)) - e / a - (total - e) / (1 - a)
                            else -1e30) cp ce
  let (best, t) =
    reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
                (-f64.inf, 256) (zip score (iota 256))
  in (t, best, map (map (\x -> if x > t then 255u8 else 0)) grey)
