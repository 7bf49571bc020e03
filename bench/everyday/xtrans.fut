-- Demosaicking of the 6x6 X-Trans pattern by normalised convolution: green first, then red and blue from smoothed differences to green.
def pattern: [6][6]u8 =
  [[1, 2, 1, 1, 0, 1], [0, 1, 0, 2, 1, 2], [1, 2, 1, 1, 0, 1], [1, 0, 1, 1, 2, 1], [2, 1, 2, 0, 1, 0], [1, 0, 1, 1, 2, 1]]

def colour (y: i64) (x: i64): u8 = pattern[y % 6, x % 6]
def weights: [5]f32 = [0.2, 0.6, 1.0, 0.6, 0.2]

def spread [h][w] (ok: i64 -> i64 -> bool) (im: [h][w]f32) (y: i64) (x: i64): f32 =
  let (s, n) =
    loop (s, n) = (0, 0) for i < 5 do
      loop (s, n) for j < 5 do
        let (yy, xx) = (y + i - 2, x + j - 2)
        in if yy < 0 || xx < 0 || yy >= h || xx >= w || !(ok yy xx) then (s, n)
           else let k = weights[i] * weights[j] in (s + k*im[yy, xx], n + k)
  in s / f32.max 1e-3 n

entry main [h][w] (black: u16) (raw: [h][w]u16): [h][w][3]f32 =
  let v = map (map (\a -> (f32.u16 (u16.max a black) - f32.u16 black) / 65535)) raw
  let green = tabulate_2d h w (\y x -> if colour y x == 1 then v[y,x] else spread (\a b -> colour a b == 1) v y x)
  let diff = map2 (map2 (-)) v green
  let other c y x = green[y,x] + (if colour y x == c then diff[y,x] else spread (\a b -> colour a b == c) diff y x)
  in tabulate_2d h w (\y x -> map (\q -> f32.max 0 (f32.min 1 q)) [other 0 y x, green[y,x], other 2 y x])
