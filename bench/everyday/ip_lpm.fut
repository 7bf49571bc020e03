-- Longest-prefix match of IPv4 addresses: sorts the routes by (length, prefix), then binary searches from long to short.
def mask (len: u32) : u32 = if len == 0 then 0 else 0xffffffff << (32 - len)

def sort_bit [n] (b: i32) (xs: [n]u64) : [n]u64 =
  let bits = map (\x -> i64.u64 ((x >> u64.i32 b) & 1)) xs
  let ups = scan (+) 0 bits
  let zeros = n - ups[n - 1]
  let dst = map3 (\i o u -> if o == 1 then zeros + u - 1 else i - u) (iota n) bits ups
  in scatter (replicate n 0) dst xs

def lower_bound [n] (xs: [n]u64) (key: u64) : i64 =
  (loop (lo, hi) = (0, n) while lo < hi do
     let mid = (lo + hi) / 2
     in if xs[mid] < key then (mid + 1, hi) else (lo, mid)).0

def main [n] [m] (nets: [m]u32) (lens: [m]u8) (addrs: [n]u32) : ([33]i32, u64) =
  let keys =
    map2 (\a l ->
            let l = 8 + u32.u8 l % 17
            in (u64.u32 l << 32) | u64.u32 (a & mask l))
         nets lens
  let table = loop ks = keys for b in 8...37 do sort_bit b ks
  let lookup a =
    let (l, _) =
      loop (l, found) = (24u32, false) while !found && l >= 8 do
        let key = (u64.u32 l << 32) | u64.u32 (a & mask l)
        let i = lower_bound table key
        in if i < m && table[i] == key then (l, true) else (l - 1, false)
    in if l < 8 then 0 else l
  let matched = map lookup addrs
  let lenhist = hist (+) 0 33 (map i64.u32 matched) (replicate n 1)
  let check = reduce (+) 0 (map2 (\a l -> u64.u32 (a & mask l) * u64.u32 l) addrs matched)
  in (lenhist, check)
