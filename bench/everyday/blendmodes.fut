-- A stack of 8-bit RGBA layers composited bottom up with blend modes as in drawing programs (a sum type chosen per layer), in integers.
type mode = #normal | #multiply | #screen | #overlay | #darken | #lighten | #difference | #softlight

def mode_of (k: u8): mode =
  match k % 8
  case 0 -> #normal case 1 -> #multiply case 2 -> #screen case 3 -> #overlay
  case 4 -> #darken case 5 -> #lighten case 6 -> #difference case _ -> #softlight

def div255 (x: i32) = (x + 128 + ((x + 128) >> 8)) >> 8

def blend (m: mode) (b: i32) (s: i32): i32 =
  match m
  case #normal -> s
  case #multiply -> div255 (b*s)
  case #screen -> b + s - div255 (b*s)
  case #overlay -> if b < 128 then div255 (2*b*s) else 255 - div255 (2*(255-b)*(255-s))
  case #darken -> i32.min b s
  case #lighten -> i32.max b s
  case #difference -> i32.abs (b - s)
  case #softlight -> div255 ((255 - b)*div255 (b*s) + b*(b + s - div255 (b*s)))

entry main [k][h][w] (modes: [k]u8) (layers: [k][h][w][4]u8): ([h][w]u32, [4]i64) =
  let ms = map mode_of modes
  let over (m: mode) (dst: (i32, i32, i32, i32)) (p: [4]u8) =
    let a = i32.u8 p[3]
    let mix b c = let s = i32.u8 c in div255 (a * blend m b s + (255 - a) * b)
    in (mix dst.0 p[0], mix dst.1 p[1], mix dst.2 p[2], a + div255 (dst.3 * (255 - a)))
  let pixel y x = loop c = (255, 255, 255, 0) for l < k do over ms[l] c layers[l, y, x]
  let out = tabulate_2d h w pixel
  let pack (r, g, b, a) = u32.i32 r | u32.i32 g << 8 | u32.i32 b << 16 | u32.i32 a << 24
  let sums = reduce_comm (\(a, b, c, d) (e, f, g, h) -> (a+e, b+f, c+g, d+h)) (0, 0, 0, 0)
                         (map (\(r, g, b, a) -> (i64.i32 r, i64.i32 g, i64.i32 b, i64.i32 a)) (flatten out))
  in (map (map pack) out, [sums.0, sums.1, sums.2, sums.3])
