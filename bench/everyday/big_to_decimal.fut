-- Many big integers to decimal: repeated division by 10^9 in place; digit counts, digit sums, and the leading digits (Benford).
def digits_of (x: u64) : (i32, i32, i64) =
  let (n, s, l, _) =
    loop (n, s, _, x) = (0, 0, 0, x) while x > 0 do
      let d = x % 10
      in (n + 1, s + i32.u64 d, i64.u64 d, x / 10)
  in (n, s, l)

def main [n] [w] (shift: [n]u8) (limbs: [n][w]u32) : ([n]i32, [n]i32, [10]i64, [n]u32) =
  let blocks = w * 32 / 29 + 1
  let convert (sh: u8) (x: [w]u32) =
    -- limbs are little-endian; the top ones are cleared to get all lengths
    let keep = 1 + i64.u8 sh % w
    let x = map2 (\i l -> if i < keep then l else 0) (iota w) x
    let (_, out, _) =
      loop (x, out, top) = (x, replicate blocks 0u32, keep) for b < blocks do
        let (x, r) =
          loop (x, r) = (x, 0u64) for i < top do
            let k = top - 1 - i
            let cur = (r << 32) | u64.u32 x[k]
            in (x with [k] = u32.u64 (cur / 1000000000), cur % 1000000000)
        let top = loop t = top while t > 0 && x[t - 1] == 0 do t - 1
        in (x, out with [b] = u32.u64 r, top)
    let (used, _) = loop (u, go) = (blocks, true) while go do if u > 0 && out[u - 1] == 0 then (u - 1, true) else (u, false)
    let (len, sum, lead) =
      loop (len, sum, _) = (0, 0, 0) for b < used do
        let (c, s, l) = digits_of (u64.u32 out[b])
        in (if b == used - 1 then len + c else len + 9, sum + s, l)
    in (len, sum, lead, out[0] * 31 + out[blocks / 2])
  let (lens, sums, leads, checks) = unzip4 (map2 convert shift limbs)
  in (lens, sums, hist (+) 0 10 leads (replicate n 1), checks)
