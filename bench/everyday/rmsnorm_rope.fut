-- Root mean square norm, then rotary positions.
def main [b][t][d] (xs: [b][t][d]f32) (g: [d]f32) : [b][t][d]f32 =
  map (\seq -> map2 (\x pos ->
    let ms = f32.sum (map (\v -> v*v) x) / f32.i64 (d)
    let y = map2 (\v g -> v * g / f32.sqrt (ms + 1e-5)) x g
    in map (\i ->
        let j = i / 2
        let a = f32.i64 pos * f32.exp (-9.21 * f32.i64 j / f32.i64 d)
        in if i % 2 == 0 then y[i] * f32.cos a - y[i+1] * f32.sin a else y[i-1] * f32.sin a + y[i] * f32.cos a) (iota (d))) seq (iota t)) xs
