-- A position weight matrix scored at all places of a sequence on both strands: the best of each chunk, and a soft total.
def score [n] [m] (pwm: [m][4]f32) (s: [n]u8) (i: i64) : f32 =
  f32.sum (map2 (\row j -> row[i64.u8 (s[i + j] & 3)]) pwm (iota m))

entry main [n] [m] (chunk: i64) (pwm: [m][4]f32) (s: [n]u8) : ([]f32, []f32, f32) =
  let logodds = map (\row -> let t = f32.sum row + 0.4 in map (\x -> f32.log ((x + 0.1) / t * 4)) row) pwm
  let revcomp = reverse (map reverse logodds)
  let places = n - m + 1
  let fwd = map (score logodds s) (iota places)
  let rev = map (score revcomp s) (iota places)
  let both = map2 f32.max fwd rev
  let nc = places / chunk
  let best = map f32.maximum (unflatten (take (nc * chunk) both))
  let soft = map (\xs -> f32.log (f32.sum (map f32.exp xs))) (unflatten (take (nc * chunk) fwd))
  in (best, soft, f32.maximum both)
