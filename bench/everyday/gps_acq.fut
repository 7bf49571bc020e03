-- GPS acquisition: Gold codes from two shift registers, correlated with the signal over all code phases and Doppler bins.
def taps : [10](i64, i64) = [(2, 6), (3, 7), (4, 8), (5, 9), (1, 9), (2, 10), (1, 8), (2, 9), (3, 10), (2, 3)]

def gold (sat: i64) : [1023]i8 =
  let (a, b) = taps[sat % 10]
  let (code, _, _) =
    loop (code, g1, g2) = (replicate 1023 0i8, 0x3ffu32, 0x3ffu32) for i < 1023 do
      let bit (g: u32) (k: i64) = (g >> u32.i64 (k - 1)) & 1
      let chip = bit g1 10 ^ bit g2 a ^ bit g2 b
      let n1 = bit g1 3 ^ bit g1 10
      let n2 = bit g2 2 ^ bit g2 3 ^ bit g2 6 ^ bit g2 8 ^ bit g2 9 ^ bit g2 10
      in (code with [i] = 1 - 2 * i8.u32 chip, ((g1 << 1) | n1) & 0x3ff, ((g2 << 1) | n2) & 0x3ff)
  in code

def main (sats: i64) (bins: i64) (sig_i: [1023]i8) (sig_q: [1023]i8) : ([sats]i64, [sats]i64, [sats]f32) =
  let codes = tabulate sats gold
  let wiped = tabulate bins (\d ->
    map3 (\t i q ->
      let ph = 2 * f32.pi * f32.i64 (d - bins / 2) * f32.i64 t / 2046
      let (c, s) = (f32.cos ph, f32.sin ph)
      in (f32.i8 i * c + f32.i8 q * s, f32.i8 q * c - f32.i8 i * s)) (iota 1023) sig_i sig_q)
  let power (code: [1023]i8) (d: i64) (phase: i64) : f32 =
    let (i, q) = loop (i, q) = (0, 0) for t < 1023 do
      let k = t + phase
      let c = f32.i8 code[if k >= 1023 then k - 1023 else k]
      let (a, b) = wiped[d, t]
      in (i + c * a, q + c * b)
    in i * i + q * q
  let acquire code =
    let p = flatten (tabulate_2d bins 1023 (power code))
    let (top, at) = reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
                           (-1, i64.highest) (zip p (iota (bins * 1023)))
    let mean = f32.sum p / f32.i64 (i64.max 1 (bins * 1023))
    in (at / 1023, at % 1023, top / f32.max 1 mean)
  in unzip3 (map acquire codes)
