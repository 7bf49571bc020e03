-- Ranks of suffixes by prefix doubling, sorted by counting.
def radix [n] (keys: [n]i64) (bits: i64) (perm: [n]i64) : [n]i64 =
  loop perm for b < bits do
    let bit = map (\p -> (keys[p] >> b) & 1) perm
    let zeros = scan (+) 0 (map (1 -) bit)
    let ones = scan (+) 0 bit
    let z = zeros[n-1]
    let to = map3 (\b zs os -> if b == 0 then zs-1 else z+os-1) bit zeros ones
    in scatter (replicate n 0) to perm
entry main [n] (s: [n]u8) : [n]i64 =
  let rank = map (\c -> i64.u8 c & 3) s
  let (_, _, sa) = loop (k, rank, sa) = (1i64, rank, iota n) while k < 32 && k < n do
    let second = map (\i -> if i+k < n then rank[i+k] + 1 else 0) (iota n)
    let sa = radix second 18 (iota n)
    let sa = radix rank 18 sa
    let new = map (\i -> if i == 0 then 0 else i64.bool (rank[sa[i]] != rank[sa[i-1]] || second[sa[i]] != second[sa[i-1]])) (iota n)
    let r = scan (+) 0 new
    in (2*k, scatter (replicate n 0) sa r, sa)
  in sa
