-- Exact area-averaging reduction of an RGBA u8 image to an arbitrary size, premultiplied by alpha, separable with fractional weights.
type px = (f32, f32, f32, f32)

def span (n: i64) (m: i64) (i: i64) (f: i64 -> px) : px =
  -- the m-th part number i of n cells, in units of 1/m cell
  let (lo, hi) = (i * n, (i + 1) * n)
  let (a, b, c, d) =
    loop (a, b, c, d) = (0, 0, 0, 0) for j in lo / m ... (hi - 1) / m do
      let k = f32.i64 (i64.min hi ((j+1) * m) - i64.max lo (j * m))
      let (p, q, r, s) = f j
      in (a + k*p, b + k*q, c + k*r, d + k*s)
  let t = 1 / f32.i64 n
  in (a*t, b*t, c*t, d*t)

entry main [h][w] (oh: i64) (ow: i64) (img: [h][w][4]u8) : [4][oh][ow]f32 =
  let lin (v: u8) = (f32.u8 v / 255) ** 2
  let src : [h][w]px = map (map (\p ->
    let a = f32.u8 p[3] / 255
    in (a * lin p[0], a * lin p[1], a * lin p[2], a))) img
  let narrow : [h][ow]px = map (\row -> tabulate ow (\x -> span w ow x (\j -> row[j]))) src
  let small : [oh][ow]px = tabulate_2d oh ow (\y x -> span h oh y (\j -> narrow[j,x]))
  let un = map (map (\(r, g, b, a) ->
    let k = if a > 0 then 1 / a else 0
    in (f32.sqrt (k*r), f32.sqrt (k*g), f32.sqrt (k*b), a))) small
  let (r, g, b, a) = unzip4 (map unzip4 un)
  in [r, g, b, a]
