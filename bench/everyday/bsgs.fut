-- Discrete logarithms of many numbers by baby steps, a sorted table, and giant steps.
def powmod (p: u64) (b: u64) (e: u64) : u64 =
  let (r, _, _) = loop (r, b, e) = (1, b % p, e) while e > 0 do
    (if e & 1 == 1 then r * b % p else r, b * b % p, e >> 1)
  in r

def radix_sort [n] (bits: i32) (xs: [n]u64) : [n]u64 =
  loop xs for b < bits do
    let ones = map (\x -> i64.u64 ((x >> u64.i32 b) & 1)) xs
    let before = scan (+) 0 ones
    let zeros = n - (if n > 0 then before[n - 1] else 0)
    let at = map3 (\i o c -> if o == 1 then zeros + c - 1 else i - c) (iota n) ones before
    in scatter (copy xs) at xs

def lower_bound [n] (xs: [n]u64) (x: u64) : i64 =
  let (lo, _) = loop (lo, hi) = (0, n) while lo < hi do
    let mid = (lo + hi) / 2
    in if xs[mid] < x then (mid + 1, hi) else (lo, mid)
  in lo

entry main [n] (p: i64) (g: i64) (m: i64) (xs: [n]i32) : (i64, i64, [n]i64) =
  let p = u64.i64 p
  let g = u64.i64 g
  -- a table of g^j, each with j in its low 24 bits
  let chunk = 64i64
  let blocks = (m + chunk - 1) / chunk
  let starts = map (\b -> powmod p g (u64.i64 (b * chunk))) (iota blocks)
  let table = flatten (map (\s -> scan (\a b -> a * b % p) 1 (map (\i -> if i == 0 then s else g) (iota chunk))) starts)
  let keyed = map2 (\v j -> (v << 24) | u64.i64 j) table (iota (blocks * chunk))
  let sorted = radix_sort 55 keyed
  let big = u64.i64 (blocks * chunk)
  let back = powmod p g (p - 1 - big % (p - 1))
  let giants = i64.u64 (p / big) + 1
  let solve (x: i32) : i64 =
    let h = 1 + u64.i32 (x & 0x7fffffff) % (p - 1)
    let (_, _, found) = loop (y, i, found) = (h, 0, -1) while found < 0 && i <= giants do
      let at = lower_bound sorted (y << 24)
      let hit = at < blocks * chunk && sorted[at] >> 24 == y
      in (y * back % p, i + 1, if hit then i * i64.u64 big + i64.u64 (sorted[at] & 0xffffff) else -1)
    in found
  let logs = map solve xs
  let right = map2 (\x l -> l >= 0 && powmod p g (u64.i64 l) == 1 + u64.i32 (x & 0x7fffffff) % (p - 1)) xs logs
  in (i64.sum (map i64.bool right), reduce i64.max 0 logs, logs)
