-- DDSketch-like relative-error quantile sketches (32 buckets an octave, from the bits of the float) of latencies for many services, merged, and read at several quantiles.
def nb : i64 = 1024

def bucket (x: f32) : i64 =
  i64.max 0 (i64.min (nb - 1) (i64.u32 (f32.to_bits x >> 18) - 107 * 32))

def value (b: i64) : f32 = f32.from_bits ((u32.i64 (b + 107 * 32) << 18) + (1 << 17))

def quantile (c: [nb]i32) (q: f32) : f32 =
  let target = i32.f32 (q * f32.i32 (i32.max 0 (c[nb - 1] - 1)))
  let (lo, _) = loop (lo, hi) = (0, nb - 1) while lo < hi do
    let mid = (lo + hi) / 2
    in if c[mid] > target then (lo, mid) else (mid + 1, hi)
  in value lo

entry main [n] (services: i64) (svc: [n]u16) (us: [n]f32) : ([services][5]f32, [5]f32) =
  let lat = map (\u -> u * u * u * u * 250) us
  let keys = map2 (\s x -> (i64.u16 s % services) * nb + bucket x) svc lat
  let sk = reduce_by_index (replicate (services * nb) 0i32) (+) 0 keys (replicate n 1)
  let sk = unflatten sk
  let qs = [0.5, 0.75, 0.9, 0.99, 0.999]
  let read h = let c = scan (+) 0 h in map (quantile c) qs
  let merged = map i32.sum (transpose sk)
  in (map read sk, read merged)
