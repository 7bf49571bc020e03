-- Colour pipeline: sRGB bytes to CIELAB, vibrance and local lightness contrast, gamut squeeze back to sRGB, and a mean delta E.
module srgb = {
  def lin (b: u8) : f32 = let x = f32.u8 b / 255 in if x <= 0.04045 then x / 12.92 else ((x + 0.055) / 1.055) ** 2.4
  def enc (x: f32) : f32 = if x <= 0.0031308 then 12.92 * x else 1.055 * x ** (1 / 2.4) - 0.055
}
type lab = {l: f32, a: f32, b: f32}

def f (t: f32) : f32 = if t > 0.008856 then t ** (1 / 3) else 7.787 * t + 0.137931
def finv (t: f32) : f32 = if t > 0.206893 then t * t * t else (t - 0.137931) / 7.787

def to_lab (p: [3]u8) : lab =
  let (r, g, b) = (srgb.lin p[0], srgb.lin p[1], srgb.lin p[2])
  let x = f ((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
  let y = f (0.2126 * r + 0.7152 * g + 0.0722 * b)
  let z = f ((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
  in {l = 116 * y - 16, a = 500 * (x - y), b = 200 * (y - z)}

def to_rgb (c: lab) : (f32, f32, f32) =
  let fy = (c.l + 16) / 116
  let x = 0.9505 * finv (fy + c.a / 500)
  let y = finv fy
  let z = 1.089 * finv (fy - c.b / 200)
  in (3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z, 0.0557 * x - 0.204 * y + 1.057 * z)

def legal (r: f32, g: f32, b: f32) : bool =
  let ok x = x >= -1e-4 && x <= 1.0001 in ok r && ok g && ok b

entry main [h][w] (amount: f32) (img: [h][w][3]u8) : ([h][w][3]f32, f32) =
  let labs = map (map to_lab) img
  let blur = tabulate_2d h w (\i j ->
      let s = loop s = 0 for k < 25 do
        s + labs[i64.max 0 (i64.min (h - 1) (i + k / 5 - 2)), i64.max 0 (i64.min (w - 1) (j + k % 5 - 2))].l
      in s / 25)
  let boost = map2 (map2 (\(c: lab) m : lab ->
      let ch = f32.hypot c.a c.b
      let k = 1 + amount * f32.exp (-ch / 40)
      let l = f32.max 0 (f32.min 100 (c.l + 0.4 * (c.l - m)))
      in {l, a = k * c.a, b = k * c.b})) labs blur
  let squeeze (c: lab) =
    let at k : lab = {l = c.l, a = k * c.a, b = k * c.b}
    in if legal (to_rgb c) then c
       else let (lo, _) = loop (lo, hi) = (0, 1) for _i < 8 do
              let mid = 0.5 * (lo + hi)
              in if legal (to_rgb (at mid)) then (mid, hi) else (lo, mid)
            in at lo
  let out = map (map squeeze) boost
  let de = flatten (map2 (map2 (\(p: lab) (q: lab) -> f32.sqrt ((p.l - q.l) ** 2 + (p.a - q.a) ** 2 + (p.b - q.b) ** 2))) labs out)
  let enc (c: lab) = let (r, g, b) = to_rgb c
                     in map (\x -> srgb.enc (f32.max 0 (f32.min 1 x))) [r, g, b]
  in (map (map enc) out, f32.sum de / f32.i64 (h * w))
