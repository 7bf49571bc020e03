-- MinHash signatures of documents (sets of word pairs), the likeness of neighbours, and the buckets of their bands.
def mix (a: u32) (x: u32) : u32 =
  let y = (x ^ a) * 0x9e3779b1
  let y = (y ^ (y >> 15)) * 0x85ebca77
  in y ^ (y >> 13)

entry main [n] [m] (k: i64) (docs: [n][m]u8) : ([n][k]u32, []f32, [256]i32) =
  let shingles (d: [m]u8) = tabulate (m - 1) (\i -> u32.u8 (d[i] & 31) << 5 | u32.u8 (d[i + 1] & 31))
  let signature d =
    let s = shingles d
    in tabulate k (\j -> u32.minimum (map (mix (u32.i64 j * 0x27d4eb2f + 1)) s))
  let sigs = map signature docs
  let like i = f32.i64 (i64.sum (map2 (\a b -> i64.bool (a == b)) sigs[i] sigs[i + 1])) / f32.i64 k
  let band s = i64.u32 (reduce (\a b -> a ^ b) 0 (take 2 s) & 255)
  in (sigs, tabulate (n - 1) like, hist (+) 0 256 (map band sigs) (replicate n 1))
