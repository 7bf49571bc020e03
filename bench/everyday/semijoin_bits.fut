-- Semi-join through a bitmap of the build side's keys: the probe rows that match, their count and their sum.
def bit_of (k: i32) : u32 = 1u32 << u32.i32 (k & 31)

def bitmap [m] (words: i64) (keys: [m]i32) (ok: [m]bool) : [words]u32 =
  let put (k: i32) (o: bool) = if o then (i64.i32 (k >> 5), bit_of k) else (-1, 0)
  let (is, vs) = unzip (map2 put keys ok)
  in reduce_by_index (replicate words 0) (|) 0 is vs

entry main [n] [m] (domain: i64) (build: [m]i32) (keep: [m]bool) (probe: [n]i32) (amount: [n]i32) : (i64, i64, []i32, []i32) =
  let words = (domain + 31) / 32
  let clip (x: i32) = i32.i64 (i64.i32 (x & 0x7fffffff) % domain)
  let bits = bitmap words (map clip build) keep
  let hit (k: i32) = #[unsafe] (bits[k >> 5] & bit_of k) != 0
  let (ks, am) = unzip (filter (\(k, _) -> hit k) (zip (map clip probe) amount))
  in (length ks, i64.sum (map i64.i32 am), ks, am)
