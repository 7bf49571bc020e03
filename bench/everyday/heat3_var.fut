-- Heat in a solid of variable conductivity (3-D, 7 points, harmonic faces), convective faces outside, until the largest change is small or n steps.
def conduct [d][h][w] (k: [d][h][w]f32) (t: [d][h][w]f32) (ambient: f32) (z: i64, y: i64, x: i64): f32 =
  let kc = k[z, y, x]
  let tc = t[z, y, x]
  let flux (z', y', x') =
    if z' >= 0 && z' < d && y' >= 0 && y' < h && x' >= 0 && x' < w
    then let kn = k[z', y', x'] in 2 * kc * kn / (kc + kn) * (t[z', y', x'] - tc)
    else 0.1 * (ambient - tc)
  in flux (z - 1, y, x) + flux (z + 1, y, x) + flux (z, y - 1, x) + flux (z, y + 1, x) + flux (z, y, x - 1) + flux (z, y, x + 1)

def largest [n] (a: [n]f32) (b: [n]f32): f32 = f32.maximum (map2 (\x y -> f32.abs (x - y)) a b)

entry main [d][h][w] (n: i32) (tolerance: f32) (conductivity: [d][h][w]f32) (start: [d][h][w]f32): ([d][h][w]f32, i32, f32) =
  let k = map (map (map (\c -> 0.05 + c))) conductivity
  in loop (t, i, change) = (copy start, 0, 1) while i < n && change > tolerance do
       let t' = tabulate_3d d h w (\z y x -> t[z, y, x] + 0.12 * conduct k t 0.25 (z, y, x))
       in (t', i + 1, largest (flatten_3d t') (flatten_3d t))
