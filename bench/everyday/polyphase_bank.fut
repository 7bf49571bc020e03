-- Polyphase channeliser: windowed branches of a prototype filter, then a DFT across the branches; powers per channel.
type complex = {re: f32, im: f32}
def cadd (a: complex) (b: complex) : complex = {re = a.re + b.re, im = a.im + b.im}

def twiddles (m: i64) : [m][m]complex =
  tabulate_2d m m (\k j ->
    let a = -2 * f32.pi * f32.i64 (k * j % m) / f32.i64 m
    in {re = f32.cos a, im = f32.sin a})

entry main [t][m][p] (signal: [t][m]f32) (taps: [p][m]f32) : ([m]f32, [][m]f32) =
  let blocks = t - p + 1
  let tw = twiddles m
  let branch (b: i64) : [m]f32 =
    tabulate m (\j -> loop s = 0 for q < p do s + (taps[q, j] - 0.3) * (signal[b + p - 1 - q, j] - 0.5))
  let spectrum (x: [m]f32) : [m]complex =
    map (\row -> reduce cadd {re = 0, im = 0} (map2 (\w v -> {re = w.re * v, im = w.im * v}) row x)) tw
  let out = tabulate blocks (\b -> spectrum (branch b))
  let power = map (map (\c -> c.re * c.re + c.im * c.im)) out
  in (map (\c -> f32.sum c / f32.i64 blocks) (transpose power), power)
