-- A Bloom filter of one set of keys, asked about another; returns the words, the answers, and the fill.
def mix (seed: u32) (k: i32) : u32 =
  let x = u32.i32 k ^ seed
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def seeds : [4]u32 = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f]

entry main [n] [m] (words: i64) (keys: [n]i32) (asked: [m]i32) : ([words]u32, [m]bool, i64) =
  let place s k = i64.u32 (mix s k) % (words * 32)
  let bits = flatten (map (\k -> map (\s -> place s k) seeds) keys)
  let filter = hist (|) 0u32 words (map (/ 32) bits) (map (\b -> 1u32 << u32.i64 (b % 32)) bits)
  let has k = all (\s -> let b = place s k in (filter[b / 32] >> u32.i64 (b % 32)) & 1 == 1) seeds
  let fill = i64.sum (map (\w -> i64.i32 (u32.popc w)) filter)
  in (filter, map has asked, fill)
