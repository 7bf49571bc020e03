-- Hue turned by an angle and saturation scaled, through HSV and back.
def to_hsv (r: f32) (g: f32) (b: f32) : (f32, f32, f32) =
  let mx = f32.max r (f32.max g b)
  let c = mx - f32.min r (f32.min g b)
  let h =
    if c < 1e-6 then 0
    else if mx == r then (g - b) / c
    else if mx == g then (b - r) / c + 2
    else (r - g) / c + 4
  in (h, (if mx < 1e-6 then 0 else c / mx), mx)

def of_hsv (h: f32) (s: f32) (v: f32) : (f32, f32, f32) =
  let f n =
    let t = n + h
    let k = t - 6 * f32.floor (t / 6)
    in v - v * s * f32.max 0 (f32.min 1 (f32.min k (4 - k)))
  in (f 5, f 3, f 1)

entry main [n] (turn: f32) (sat: f32) (r: [n]f32) (g: [n]f32) (b: [n]f32) : ([n]f32, [n]f32, [n]f32) =
  unzip3 (map3 (\r g b -> let (h, s, v) = to_hsv r g b in of_hsv (h + turn) (f32.min 1 (s * sat)) v) r g b)
