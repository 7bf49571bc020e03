-- Weight distribution of a binary linear code: all codewords by Gray code blocks, shortened and dual weights by MacWilliams' identity mod a prime.
def main [k0] (dims: i64) (len0: i32) (rows: [k0]u64) =
  let len = i32.max 4 (i32.min 64 len0)
  let mask = if len == 64 then u64.highest else (1u64 << u64.i32 len) - 1
  let k = i64.max 1 (i64.min (i64.min k0 26) dims)
  -- systematic: row i has its own unit bit where there is room
  let gens = tabulate k (\i ->
    let r = rows[i] & mask
    in if i < i64.i32 len then (r & !((1u64 << u64.i64 (i64.min k 63)) - 1)) | (1 << u64.i64 i) else r)
  let low = i64.min k 6
  let word (m: u64) = loop w = 0u64 for i < k do if (m >> u64.i64 i) & 1 == 1 then w ^ (gens[i] & mask) else w
  let block (b: i64) =
    let base = word (u64.i64 b << u64.i64 low)
    let (_, ws) =
      loop (w, ws) = (base, replicate (1 << low) 0i8) for j < 1 << low do
        let ws = ws with [j] = i8.i32 (u64.popc w)
        let t = i64.i32 (i64.ctz (j + 1))
        in (if t < low then w ^ (gens[t] & mask) else w, ws)
    in ws
  let weights = tabulate (1 << (k - low)) block
  let spectrum = hist (+) 0 65 (map i64.i8 (flatten weights)) (map (const 1i64) (flatten weights))
  let mind = i8.minimum (map (\w -> if w == 0 then 127 else w) (flatten weights))
  -- Krawtchouk sums modulo 2^31 - 1
  let p = 2147483647i64
  let n = i64.i32 len
  let pascal = loop c = replicate 65 (replicate 65 0i64) for i < 65 do
                 let row = tabulate 65 (\j -> if j == 0 then 1 else if i == 0 then 0 else (c[i - 1, j - 1] + c[i - 1, j]) % p)
                 in c with [i] = row
  let kraw j x = loop s = 0 for i < j + 1 do
                   if i > x || j - i > n - x then s
                   else let v = pascal[x, i] * pascal[n - x, j - i] % p
                        in (if i % 2 == 0 then s + v else s + p - v) % p
  let dual = tabulate (n + 1) (\j -> (loop s = 0 for x < n + 1 do (s + spectrum[x] * kraw j x) % p))
  in (spectrum, mind, dual)
