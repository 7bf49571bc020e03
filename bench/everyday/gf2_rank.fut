-- Ranks of many matrices over GF(2), a row per word, by elimination with row swaps; how many have each rank.
def n = 32i64

def swap (rows: *[n]u32) (i: i64) (j: i64) : *[n]u32 =
  let a = rows[i]
  let b = rows[j]
  let rows[i] = b
  let rows[j] = a
  in rows

def rank (m: [n]u32) : (i32, u32) =
  let (_, r, pivots) =
    loop (rows, r, pivots) = (copy m, 0i64, 0u32) for c < 32i32 do
      let bit = 1u32 << u32.i32 c
      let p = loop p = r while p < n && rows[p] & bit == 0 do p + 1
      in if p >= n then (rows, r, pivots)
         else let rows = swap rows p r
              let top = rows[r]
              let rows = loop rows for i in (r + 1)..<n do
                           let x = rows[i]
                           in rows with [i] = if x & bit != 0 then x ^ top else x
              in (rows, r + 1, pivots | bit)
  in (i32.i64 r, pivots)

entry main [b] (seeds: [b][n]u32) : ([b]i32, [33]i32, u32) =
  -- some rows are made sums of others, that ranks vary
  let make (s: [n]u32) = map (\i -> if s[i] % 5 == 0 then s[(i + 1) % n] ^ s[(i + 7) % n] else s[i] & s[i] >> 3) (iota n)
  let (ranks, pivots) = unzip (map (rank <-< make) seeds)
  let h = reduce_by_index (replicate 33 0) (+) 0 (map i64.i32 ranks) (map (const 1) ranks)
  in (ranks, h, reduce (^) 0 pivots)
