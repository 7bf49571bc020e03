-- Sign-flip permutation test of paired differences: the null distribution from hashed signs.
def hash (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

entry main [n] (resamples: i64) (seed: i32) (a: [n]f32) (b: [n]f32) : ([resamples]f32, f32, f32) =
  let diff = map2 (-) a b
  let stat r =
    let key = hash (u32.i64 r + u32.i32 seed)
    let signed = map2 (\i d -> if hash (u32.i64 i + key) & 1 == 0 then d else -d) (iota n) diff
    in f32.sum signed / f32.i64 n
  let null = map stat (iota resamples)
  let sd = f32.sqrt (f32.sum (map (\s -> s * s) null) / f32.i64 resamples)
  let observed = f32.sum diff / f32.i64 n
  in (null, sd, observed)
