-- Green-screen keying: soft matte, spill removed, laid over a background.
type rgb = (f32, f32, f32)

def rgb_of (p: [3]f32) : rgb = (p[0], p[1], p[2])

def key (lo: f32) (hi: f32) ((r, g, b): rgb) : (f32, rgb) =
  let green = g - f32.max r b
  let alpha = 1 - f32.max 0 (f32.min 1 ((green - lo) / (hi - lo)))
  in (alpha, (r, f32.min g ((r + b) / 2 + 0.1), b))

entry main [h] [w] (lo: f32) (hi: f32) (fg: [h][w][3]f32) (bg: [h][w][3]f32) : ([h][w][3]f32, [h][w]f32) =
  let over f b =
    let (a, (r, g, bl)) = key lo hi (rgb_of f)
    let (br, bgr, bb) = rgb_of b
    in ([a * r + (1 - a) * br, a * g + (1 - a) * bgr, a * bl + (1 - a) * bb], a)
  in unzip (map2 (\fs bs -> unzip (map2 over fs bs)) fg bg)
