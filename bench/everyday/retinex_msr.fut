-- Multi-scale retinex of an interleaved RGB image: log ratios to three box blurs, stretched to the global range per channel.
def clampi (n: i64) (i: i64) = i64.max 0 (i64.min (n-1) i)

def blur_rows [h][w] (r: i64) (img: [h][w]f32) : [h][w]f32 =
  let k = 1 / f32.i64 (2*r+1)
  in tabulate_2d h w (\y x ->
       k * (loop s = 0f32 for d < 2*r+1 do s + img[y, clampi w (x+d-r)]))

def blur [h][w] r (img: [h][w]f32) =
  blur_rows r img |> transpose |> blur_rows r |> transpose

def channel [h][w] (gain: f32) (img: [h][w]f32) : [h][w]f32 =
  let ratio b = map2 (map2 (\i s -> f32.log i - f32.log s)) img b
  let r1 = ratio (blur 2 img)
  let r2 = ratio (blur 5 img)
  let r3 = ratio (blur 11 img)
  let m = map3 (map3 (\a b c -> gain * (0.5*a + 0.3*b + 0.2*c))) r1 r2 r3
  let lo = f32.minimum (flatten m)
  let hi = f32.maximum (flatten m)
  let sc = 255 / f32.max 1e-6 (hi - lo)
  in map (map (\v -> f32.max 0 (f32.min 255 ((v - lo) * sc)))) m

entry main [h][w] (gain: f32) (img: [h][w][3]u8) : [h][w][3]f32 =
  let plane c = map (map (\p -> f32.u8 p[c] + 1)) img
  let (r, g, b) = (channel gain (plane 0), channel gain (plane 1), channel gain (plane 2))
  in map3 (map3 (\x y z -> [x, y, z])) r g b
