-- Otsu's threshold of a grey image and the binary image it gives.
entry main [h] [w] (img: [h][w]u8) : (u8, [h][w]bool, i64) =
  let hist = hist (+) 0i64 256 (map i64.u8 (flatten img)) (replicate (h * w) 1)
  let weight = scan (+) 0 hist
  let moment = scan (+) 0 (map2 (*) hist (iota 256))
  let all_w = f64.i64 (h * w)
  let all_m = f64.i64 moment[255]
  let variance w0 m0 =
    let a = f64.i64 w0
    let b = all_w - a
    in if a < 1 || b < 1 then 0 else
       let d = f64.i64 m0 / a - (all_m - f64.i64 m0) / b
       in a * b * d * d / (all_w * all_w)
  let best (v1, i1) (v2, i2) = if v1 > v2 || (v1 == v2 && i1 < i2) then (v1, i1) else (v2, i2)
  let (_, t) = reduce_comm best (-1.0, 256) (zip (map2 variance weight moment) (iota 256))
  let bin = map (map (\v -> i64.u8 v > t)) img
  in (u8.i64 t, bin, i64.sum (map i64.bool (flatten bin)))
