-- Grey-world white balance of an RGB image in 8-bit fixed-point gains.
entry main [h] [w] (img: [h][w][3]u8) : ([h][w][3]u8, [3]i64) =
  let total c = i64.sum (flatten (map (map (\p -> i64.u8 p[c])) img))
  let sums = map total (iota 3)
  let grey = i64.sum sums / 3
  let gains = map (\s -> grey * 256 / i64.max 1 s) sums
  let fix (v: u8) (g: i64) = u8.i64 (i64.min 255 ((i64.u8 v * g + 128) >> 8))
  in (map (map (\p -> map2 fix p gains)) img, gains)
