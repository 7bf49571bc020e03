-- Mel-frequency cepstra of a signal: overlapping windowed frames, power spectra by a table of cosines, triangles, logs, cosine transform.
def mel (f: f32) : f32 = 1127 * f32.log (1 + f / 700)
def unmel (m: f32) : f32 = 700 * (f32.exp (m / 1127) - 1)

def matmul [n] [m] [k] (a: [n][k]f32) (b: [m][k]f32) : [n][m]f32 =
  map (\x -> map (\y -> f32.sum (map2 (*) x y)) b) a

entry main [n] (frame: i64) (hop: i64) (nmel: i64) (ncep: i64) (signal: [n]f32) : ([][ncep]f32, []f32) =
  let rate = 16000f32
  let nf = (n - frame) / hop + 1
  let bins = frame / 2 + 1
  let emph = tabulate n (\i -> signal[i] - 0.97 * (if i > 0 then signal[i - 1] else 0))
  let window = tabulate frame (\i -> 0.54 - 0.46 * f32.cos (2 * f32.pi * f32.i64 i / f32.i64 (frame - 1)))
  let frames = tabulate nf (\t -> map2 (*) window (emph[t * hop:t * hop + frame] :> [frame]f32))
  let angle k i = 2 * f32.pi * f32.i64 ((k * i) % frame) / f32.i64 frame
  let re = matmul frames (tabulate_2d bins frame (\k i -> f32.cos (angle k i)))
  let im = matmul frames (tabulate_2d bins frame (\k i -> f32.sin (angle k i)))
  let power = map2 (map2 (\a b -> (a * a + b * b) / f32.i64 frame)) re im
  let edges = tabulate (nmel + 2) (\j -> unmel (mel (rate / 2) * f32.i64 j / f32.i64 (nmel + 1)))
  let bank = tabulate_2d nmel bins (\j k ->
    let f = rate * f32.i64 k / f32.i64 frame
    let up = (f - edges[j]) / (edges[j + 1] - edges[j])
    let down = (edges[j + 2] - f) / (edges[j + 2] - edges[j + 1])
    in f32.max 0 (f32.min up down))
  let logs = map (map (\e -> f32.log (e + 0.01))) (matmul power bank)
  let basis = tabulate_2d ncep nmel (\c j -> f32.cos (f32.pi * f32.i64 c * (f32.i64 j + 0.5) / f32.i64 nmel))
  in (matmul logs basis, map f32.sum power)
