-- Conditionally parameterised convolution: per sample a sigmoid routing of the pooled features mixes four expert kernels, then a 3x3 reflect-padded conv with h-swish.
def reflect (n: i64) (i: i64) : i64 =
  if n == 1 then 0 else let j = i64.abs i in if j >= n then 2*n - 2 - j else j

def hswish (x: f32) : f32 = x * f32.max 0 (f32.min 6 (x + 3)) / 6

entry main [b][ci][co][e][h][w] (x: [b][h][w][ci]f32) (experts: [e][co][3][3][ci]f32) (route: [e][ci]f32) : [b][h][w][co]f32 =
  let gap (img: [h][w][ci]f32) : [ci]f32 =
    reduce (map2 (+)) (replicate ci 0) (flatten img) |> map (/ f32.i64 (h*w))
  in map (\img ->
       let pooled = gap img
       let alpha = map (\r -> 1 / (1 + f32.exp (-(f32.sum (map2 (\p q -> 4 * (p - 0.5) * (q - 0.5)) pooled r))))) route
       let ker : [co][3][3][ci]f32 =
         map2 (\a k -> map (map (map (map (\v -> a * (v - 0.5))))) k) alpha experts
         |> reduce (map2 (map2 (map2 (map2 (+))))) (replicate co (replicate 3 (replicate 3 (replicate ci 0))))
       in tabulate_3d h w co (\y x' o ->
            hswish (f32.sum (tabulate 9 (\t ->
              let p = img[reflect h (y + t/3 - 1), reflect w (x' + t%3 - 1)]
              in f32.sum (map2 (*) p ker[o, t/3, t%3])))))) x
