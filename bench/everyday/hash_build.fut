-- An open-addressing hash table built in rounds of claims, then probed; the payloads of equal keys add.
def slot (bits: i32) (k: i32) : i64 =
  let h = u32.i32 k
  let h = (h ^ (h >> 15)) * 0x2c1b3c6d
  let h = (h ^ (h >> 12)) * 0x297a2d39
  in i64.u32 ((h ^ (h >> 15)) >> u32.i32 (32 - bits))

entry main [n][m] (bits: i32) (domain: i32) (keys: [n]i32) (pay: [n]u8) (probes: [m]i32) : (i64, i64, i64, i64) =
  let size = 1i64 << i64.i32 bits
  let ks = map (\k -> (k & 0x7fffffff) % domain) keys
  let at0 = map (slot bits) ks
  let (table, at, _, rounds) =
    loop (table, at, pending, rounds) = (replicate size (-1), at0, iota n, 0) while length pending > 0 do
      -- a free slot goes to the least key that wants it
      let want = map (\i -> if table[at[i]] < 0 then at[i] else -1) pending
      let claims = reduce_by_index (replicate size i32.highest) i32.min i32.highest want (map (\i -> ks[i]) pending)
      let table = map2 (\t c -> if t < 0 && c != i32.highest then c else t) table claims
      let left = filter (\i -> table[at[i]] != ks[i]) pending
      let at = scatter at left (map (\i -> (at[i] + 1) % size) left)
      in (table, at, left, rounds + 1i64)
  let sums = reduce_by_index (replicate size 0i64) (+) 0 at (map i64.u8 pay)
  let lookup p =
    let k = (p & 0x7fffffff) % domain
    let i = loop i = slot bits k while table[i] >= 0 && table[i] != k do (i + 1) % size
    in if table[i] == k then (1, sums[i]) else (0, 0)
  let (hits, total) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map lookup probes)
  in (hits, total, i64.sum (map (\t -> i64.bool (t >= 0)) table), rounds)
