-- Anti-aliased pooling of half-precision features: maximum of 2x2 at stride 1, a binomial filter of 4x4 at stride 2 with mirrored borders, and each map's mean in single precision.
def reflect (n: i64) (i: i64) = if i < 0 then -i else if i >= n then 2*(n - 1) - i else i

def taps : [4]f16 = [0.125, 0.375, 0.375, 0.125]

-- a row moved by one, its last repeated
def tail' [n] 't (r: [n]t): [n]t = tabulate n (\i -> r[i64.min (n-1) (i+1)])

def maxes [h][w] (a: [h][w]f16): [h][w]f16 =
  let right = map (\r -> map2 f16.max r (tail' r)) a
  let below = map2 (\i r -> map2 f16.max r right[i64.min (h-1) (i+1)]) (iota h) right
  in below

def blurdown [h][w] (a: [h][w]f16): [(h+1)/2][(w+1)/2]f16 =
  let horizontal = map (\r -> tabulate ((w+1)/2) (\x -> loop s = 0 for k < 4 do s + taps[k] * r[reflect w (2*x + k - 1)])) a
  in tabulate_2d ((h+1)/2) ((w+1)/2) (\y x -> loop s = 0 for k < 4 do s + taps[k] * horizontal[reflect h (2*y + k - 1), x])

entry main [n][c][h][w] (x: [n][c][h][w]f16): ([n][c][(h+1)/2][(w+1)/2]f16, [n][c]f32) =
  let y = map (map (blurdown <-< maxes)) x
  let means = map (map (\m -> f32.sum (map f32.f16 (flatten m)) / f32.i64 (((h+1)/2) * ((w+1)/2)))) y
  in (y, means)
