-- SipHash-2-4 of many short keys, then a table of buckets: load, greatest bucket, and a digest of all hashes.
def rotl (x: u64) (k: u64) : u64 = x << k | x >> (64 - k)

type sip = (u64, u64, u64, u64)
def round ((v0, v1, v2, v3): sip) : sip =
  let v0 = v0 + v1
  let v2 = v2 + v3
  let v1 = rotl v1 13 ^ v0
  let v3 = rotl v3 16 ^ v2
  let v0 = rotl v0 32
  let v2 = v2 + v1
  let v0 = v0 + v3
  let v1 = rotl v1 17 ^ v2
  let v3 = rotl v3 21 ^ v0
  let v2 = rotl v2 32
  in (v0, v1, v2, v3)

def absorb (w: u64) ((v0, v1, v2, v3): sip) : sip =
  let (v0, v1, v2, v3) = round (round (v0, v1, v2, v3 ^ w))
  in (v0 ^ w, v1, v2, v3)

def siphash [m] (k0: u64) (k1: u64) (msg: [m]u8) : u64 =
  let word b = loop w = 0u64 for k < 8 do
                 let p = 8 * b + k
                 in if p < m then w | u64.u8 msg[p] << u64.i64 (8 * k) else w
  let s = (k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573)
  let s = loop s for b < m / 8 do absorb (word b) s
  let s = absorb (word (m / 8) | u64.i64 (m % 256) << 56) s
  let (v0, v1, v2, v3) = loop (a, b, c, d) = (s.0, s.1, s.2 ^ 0xff, s.3) for _i < 4i32 do round (a, b, c, d)
  in v0 ^ v1 ^ v2 ^ v3

entry main [n][m] (buckets: i64) (keys: [n][m]u8) : ([n]u64, i32, i64, u64) =
  let hs = map (siphash 0x0706050403020100 0x0f0e0d0c0b0a0908) keys
  let loads = hist (+) 0i32 buckets (map (\h -> i64.u64 (h >> 1) % buckets) hs) (replicate n 1)
  let digest = reduce (^) 0 (map2 (\i h -> rotl h (1 + u64.i64 (i % 63))) (iota n) hs)
  in (hs, i32.maximum loads, i64.sum (map (\l -> i64.bool (l == 0)) loads), digest)
