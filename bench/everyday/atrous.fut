-- Denoising of several planes by the undecimated wavelet transform with holes (B3 spline, mirrored): per plane and scale a soft threshold from the mean magnitude.
def refl n i = let i = i64.abs i in if i >= n then i64.max 0 (2*n - 2 - i) else i

def smooth [h][w] (s: i64) (a: [h][w]f32): [h][w]f32 =
  let tap get = 0.375 * get 0 + 0.25 * (get (-s) + get s) + 0.0625 * (get (-2*s) + get (2*s))
  let rows = tabulate_2d h w (\y x -> tap (\o -> a[y, refl w (x+o)]))
  in tabulate_2d h w (\y x -> tap (\o -> rows[refl h (y+o), x]))

def shrink (t: f32) (d: f32): f32 = f32.sgn d * f32.max 0 (f32.abs d - t)

entry main [c][h][w] (levels: i64) (k: f32) (planes: [c][h][w]f32): ([c][h][w]f32, [c][levels]f32) =
  let denoise p =
    let (cur, acc, ts) =
      loop (cur, acc, ts) = (p, replicate h (replicate w 0), replicate levels 0) for l < levels do
        let next = smooth (1 << l) cur
        let detail = map2 (map2 (-)) cur next
        let t = k * f32.sum (map f32.abs (flatten detail)) / f32.i64 (h*w)
        let acc = map2 (map2 (\s d -> s + shrink t d)) acc detail
        in (next, acc, ts with [l] = t)
    in (map2 (map2 (+)) cur acc, ts)
  in map denoise planes |> unzip
