-- The reversible 5/3 wavelet by lifting (mirrored ends, 16-bit), several levels in place, dead-zone quantisation, and the inverse.
def forward [n] (x: [n]i16): [n]i16 =
  let no = n / 2
  let ne = n - no
  let high = tabulate no (\i ->
    let right = if 2 * i + 2 < n then x[2 * i + 2] else x[2 * i]
    in x[2 * i + 1] - ((x[2 * i] + right) >> 1))
  let low = tabulate ne (\i ->
    let l = high[i64.max 0 (i - 1)]
    let r = high[i64.min (no - 1) i]
    in x[2 * i] + ((l + r + 2) >> 2))
  in (low ++ high) :> [n]i16

def inverse [n] (y: [n]i16): [n]i16 =
  let no = n / 2
  let ne = n - no
  let (low, high) = (y[:ne], y[ne:])
  let even = tabulate ne (\i ->
    low[i] - ((high[i64.max 0 (i - 1)] + high[i64.min (no - 1) i] + 2) >> 2))
  in tabulate n (\i ->
       if i % 2 == 0 then even[i / 2]
       else let j = i / 2
            in high[j] + ((even[j] + even[i64.min (ne - 1) (j + 1)]) >> 1))

def both_axes (f: (n: i64) -> [n]i16 -> [n]i16) (h: i64) (w: i64) (img: [h][w]i16): [h][w]i16 =
  map (f w) img |> transpose |> map (f h) |> transpose

def size_at (n: i64) (level: i64) = loop n for _i < level do (n + 1) / 2

def quantise (q: i16) (c: i16): i16 =
  let a = i16.abs c
  in if a < q then 0 else i16.sgn c * (a - a % q + q / 2)

entry main [h][w] (levels: i64) (q: i16) (image: [h][w]u8): ([h][w]u8, [h][w]i16, i64) =
  let coded =
    loop img = map (map (\p -> i16.u8 p - 128)) image for l < levels do
      let (hh, ww) = (size_at h l, size_at w l)
      in img with [:hh, :ww] = both_axes (\n (x: [n]i16) -> forward x) hh ww (copy img[:hh, :ww])
  let (h0, w0) = (size_at h levels, size_at w levels)
  let kept = tabulate_2d h w (\y x -> if y < h0 && x < w0 then coded[y, x] else quantise q coded[y, x])
  let back =
    loop img = copy kept for i < levels do
      let l = levels - 1 - i
      let (hh, ww) = (size_at h l, size_at w l)
      in img with [:hh, :ww] = both_axes (\n (x: [n]i16) -> inverse x) hh ww (copy img[:hh, :ww])
  let zeros = kept |> flatten |> map (\c -> i64.bool (c == 0)) |> i64.sum
  in (map (map (\v -> u8.i16 (i16.max 0 (i16.min 255 (v + 128))))) back, kept, zeros)
