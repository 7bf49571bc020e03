-- Product of f16 activations with a 4-bit weight matrix (two weights per byte, scale and zero point per group of 32), bias and ReLU.
def main [m] [k2] [n] [g] (x: [m][k2 * 2]f16) (packed: [n][k2]u8) (scale: [n][g]f16) (zero: [n][g]u8) (bias: [n]f32)
    : ([m][n]f16, [n]f32) =
  let group (kk: i64) = i64.min (g - 1) (kk / 32)
  let weight (row: [k2]u8) (sc: [g]f16) (zs: [g]u8) (kk: i64) : f32 =
    let byte = row[kk / 2]
    let q = if kk % 2 == 0 then byte & 15 else byte >> 4
    let z = zs[group kk] & 15
    in f32.i16 (i16.u8 q - i16.u8 z) * f32.f16 sc[group kk] * 0.0625
  let w = map3 (\row sc zs -> map (weight row sc zs) (iota (k2 * 2))) packed scale zero
  let out =
    map (\xr ->
           map2 (\wr b ->
                   let s = f32.sum (map2 (\a c -> (f32.f16 a - 0.5) * c) xr wr)
                   in f32.max 0 (s + b) / f32.sqrt (f32.i64 (k2 * 2)))
                w bias)
        x
  let peaks = map (\col -> reduce f32.max 0 col) (transpose out)
  in (map (map f16.f32) out, peaks)
