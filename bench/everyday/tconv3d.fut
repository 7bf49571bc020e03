-- A transposed convolution of volumes, 4x4x4 with stride 2 and padding 1: each output gathers the eight taps of its parity; then normalisation per channel and ReLU.
entry main [n][c][d][h][w][o] (x: [n][c][d][h][w]f32) (k: [c][o][4][4][4]f32): [n][o][2*d][2*h][2*w]f32 =
  -- output z is fed by inputs i with z = 2 i - 1 + tap
  let taps (len: i64) (z: i64) (e: i64) : (bool, i64, i64) =
    let t = (z + 1) % 2 + 2*e
    let i = (z + 1 - t) / 2
    in (i >= 0 && i < len && z + 1 >= t, i, t)
  let image (im: [c][d][h][w]f32) =
    let raw = map (\oc ->
      tabulate_3d (2*d) (2*h) (2*w) (\z y x' ->
        loop s = 0 for q < 8 do
          let (okz, iz, tz) = taps d z (q / 4)
          let (oky, iy, ty) = taps h y (q / 2 % 2)
          let (okx, ix, tx) = taps w x' (q % 2)
          in if okz && oky && okx
             then loop s for ch < c do s + im[ch, iz, iy, ix] * (k[ch, oc, tz, ty, tx] - 0.5)
             else s)) (iota o)
    in map (\v ->
         let flat = flatten_3d v
         let cnt = f32.i64 (8*d*h*w)
         let m = f32.sum flat / cnt
         let var = f32.sum (map (\a -> (a - m)*(a - m)) flat) / cnt
         let r = 1 / f32.sqrt (var + 1e-3)
         in map (map (map (\a -> f32.max 0 ((a - m) * r)))) v) raw
  in map image x
