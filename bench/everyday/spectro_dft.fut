-- Power spectrogram with a Hann window and a direct real DFT.
entry main [n] (size: i64) (hop: i64) (x: [n]f32) : [][]f32 =
  let frames = (n - size) / hop + 1
  let bins = size / 2 + 1
  let hann = tabulate size (\i -> 0.5 - 0.5 * f32.cos (2 * f32.pi * f32.i64 i / f32.i64 size))
  let angle k i = 2 * f32.pi * f32.i64 (k * i % size) / f32.i64 size
  let cs = tabulate_2d bins size (\k i -> f32.cos (angle k i))
  let sn = tabulate_2d bins size (\k i -> f32.sin (angle k i))
  let frame f = map2 (\i w -> w * (x[f * hop + i] - 0.5)) (iota size) hann
  let spec (fr: [size]f32) =
    map2 (\c s -> let re = f32.sum (map2 (*) c fr)
                  let im = f32.sum (map2 (*) s fr)
                  in re * re + im * im) cs sn
  in map (\f -> spec (frame f)) (iota frames)
