-- Template matching by normalised cross-correlation: window sums from integral images of 64-bit integers, direct correlation in 32 bits.
def integral [h][w] (a: [h][w]i64): [h + 1][w + 1]i64 =
  let s = a |> map (scan (+) 0) |> transpose |> map (scan (+) 0) |> transpose
  in tabulate_2d (h + 1) (w + 1) (\y x -> if y == 0 || x == 0 then 0 else s[y - 1, x - 1])

def window_sum [h][w] (s: [h][w]i64) (y: i64, x: i64) (kh: i64, kw: i64): i64 =
  s[y + kh, x + kw] - s[y, x + kw] - s[y + kh, x] + s[y, x]

entry main [h][w][kh][kw] (image: [h][w]u8) (template: [kh][kw]u8): ([h - kh + 1][w - kw + 1]f32, f32, f32) =
  let pixels = map (map i64.u8) image
  let sums = integral pixels
  let squares = integral (map (map (\p -> p * p)) pixels)
  let n = kh * kw
  let tsum = i64.sum (map i64.u8 (flatten template))
  let tsq = i64.sum (map (\p -> i64.u8 p * i64.u8 p) (flatten template))
  let tvar = f32.i64 (n * tsq - tsum * tsum)
  let correlation =
    tabulate_2d (h - kh + 1) (w - kw + 1) (\y x ->
      let (_, _, dot) =
        loop (i, j, acc) = (0, 0, 0i32) while i < kh do
          let acc = acc + i32.u8 image[y + i, x + j] * i32.u8 template[i, j]
          in if j + 1 == kw then (i + 1, 0, acc) else (i, j + 1, acc)
      let s = window_sum sums (y, x) (kh, kw)
      let q = window_sum squares (y, x) (kh, kw)
      let v = f32.i64 (i64.max 1 (n * q - s * s))
      in f32.i64 (n * i64.i32 dot - s * tsum) / (f32.sqrt v * f32.sqrt (f32.max 1 tvar)))
  let flat = flatten correlation
  in (correlation, f32.maximum flat, f32.f64 (f64.sum (map (\c -> f64.f32 c * f64.f32 c) flat) / f64.i64 (length flat)))
