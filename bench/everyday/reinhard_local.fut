-- Reinhard's local tone mapping (dodging and burning): per pixel a soft choice of the largest flat surround of a stack of a-trous blurs.
def at [h][w] (img: [h][w]f32) (y: i64) (x: i64) = img[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]

def smooth [h][w] (s: i64) (img: [h][w]f32) : [h][w]f32 =
  let one f = \y x -> 0.25 * f y (x-s) + 0.5 * f y x + 0.25 * f y (x+s)
  let hor = tabulate_2d h w (one (at img))
  in tabulate_2d h w (\y x -> 0.25 * at hor (y-s) x + 0.5 * at hor y x + 0.25 * at hor (y+s) x)

entry main [h][w] (key: f32) (phi: f32) (rgb: [3][h][w]f32) : [3][h][w]f32 =
  let radiance = map (map (map (\v -> f32.exp (8 * v - 4)))) rgb
  let lum = map3 (map3 (\r g b -> 0.2126*r + 0.7152*g + 0.0722*b)) radiance[0] radiance[1] radiance[2]
  let logavg = f32.exp (f32.sum (flatten (map (map (\l -> f32.log (1e-4 + l))) lum)) / f32.i64 (h*w))
  let l = map (map (* (key / logavg))) lum
  let pick s cur nxt (v, k) =
    let act = (cur - nxt) / (key * 2f32 ** phi / f32.i64 (s*s) + cur)
    let k = k / (1 + (act / 0.05) ** 2)
    in (v + k * (nxt - v), k)
  let (_, best) =
    loop (cur, best) = (l, map (map (\v -> (v, 1))) l) for i < 5 do
      let s = 1 << i
      let nxt = smooth s cur
      in (nxt, map3 (map3 (pick s)) cur nxt best)
  let ld = map2 (map2 (\a (v, _) -> a / (1 + v))) l best
  in map (\plane -> map3 (map3 (\c lw d -> f32.min 1 ((c / lw) ** 0.8 * d))) plane lum ld) radiance
