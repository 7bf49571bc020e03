-- A bitmap index of two columns and a query over it: (a in a range) and not (b one of two values), counted by blocks.
def bitmaps [n] (k: i64) (column: [n]u8) : [k][]u32 =
  let words = (n + 31) / 32
  let word v i =
    loop acc = 0u32 for b < 32 do
      let at = i * 32 + b
      in if at < n && i64.u8 column[at] % k == v then acc | (1 << u32.i64 b) else acc
  in tabulate_2d k words word

entry main [n] (k: i64) (lo: i64) (hi: i64) (a: [n]u8) (b: [n]u8) : ([]u32, i64, [k]i64) =
  let words = (n + 31) / 32
  let ia = bitmaps k a :> [k][words]u32
  let ib = bitmaps k b :> [k][words]u32
  let any = map (reduce (|) 0) (transpose ia[lo:hi])
  let hits = map3 (\x p q -> x & !(p | q)) any ib[0] ib[k - 1]
  let pop ws = i64.sum (map (\w -> i64.i32 (u32.popc w)) ws)
  in (hits, pop hits, map (\row -> pop (map2 (&) row hits)) ib)
