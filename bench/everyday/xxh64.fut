-- XXH64 digests of fixed-length messages of bytes (four-lane main loop, tail, avalanche) and a check for equal buckets.
def p1 : u64 = 11400714785074694791
def p2 : u64 = 14029467366897019727
def p3 : u64 = 1609587929392839161
def p4 : u64 = 9650029242287828579
def p5 : u64 = 2870177450012600261

def rotl (x: u64) (r: u64) : u64 = (x << r) | (x >> (64 - r))
def round (acc: u64) (x: u64) : u64 = rotl (acc + x * p2) 31 * p1
def merge (h: u64) (v: u64) : u64 = (h ^ round 0 v) * p1 + p4

def word [l] (m: [l]u8) (i: i64) (k: i64) : u64 =
  loop w = 0u64 for j < k do w | (u64.u8 m[i + j] << u64.i64 (8 * j))

def xxh64 [l] (seed: u64) (m: [l]u8) : u64 =
  let nb = l / 32
  let (v1, v2, v3, v4) =
    loop (a, b, c, d) = (seed + p1 + p2, seed + p2, seed, seed - p1) for i < nb do
      (round a (word m (32 * i) 8), round b (word m (32 * i + 8) 8),
       round c (word m (32 * i + 16) 8), round d (word m (32 * i + 24) 8))
  let h = if nb > 0
          then merge (merge (merge (merge (rotl v1 1 + rotl v2 7 + rotl v3 12 + rotl v4 18) v1) v2) v3) v4
          else seed + p5
  let h = h + u64.i64 l
  let (h, i) = loop (h, i) = (h, nb * 32) while i + 8 <= l do
    (rotl (h ^ round 0 (word m i 8)) 27 * p1 + p4, i + 8)
  let (h, i) = if i + 4 <= l then (rotl (h ^ (word m i 4 * p1)) 23 * p2 + p3, i + 4) else (h, i)
  let (h, _) = loop (h, i) = (h, i) while i < l do (rotl (h ^ (u64.u8 m[i] * p5)) 11 * p1, i + 1)
  let h = (h ^ (h >> 33)) * p2
  let h = (h ^ (h >> 29)) * p3
  in h ^ (h >> 32)

entry main [n][l] (seed: i64) (msgs: [n][l]u8) : ([n]u64, [256]i32) =
  let hs = map (xxh64 (u64.i64 seed)) msgs
  in (hs, hist (+) 0 256 (map (\h -> i64.u64 (h >> 56)) hs) (replicate n 1))
