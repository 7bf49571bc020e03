-- Products and squares of many big numbers in limbs of 16 bits: columns of partial products, carries, and a checksum by casting out 65535 both ways.
def columns [a] [b] (x: [a]u32) (y: [b]u32) : [a + b]u64 =
  tabulate (a + b) (\k ->
    loop s = 0u64 for i in i64.max 0 (k - b + 1)..<i64.min a (k + 1) do
      s + u64.u32 x[i] * u64.u32 y[k - i])

def carry [n] (cols: [n]u64) : [n]u32 =
  let (out, _) =
    loop (out, c) = (replicate n 0u32, 0u64) for i < n do
      let s = cols[i] + c
      in (out with [i] = u32.u64 (s & 0xffff), s >> 16)
  in out

def residue [n] (x: [n]u32) : u32 =
  let s = loop s = 0u32 for i < n do
            let s = s + x[i]
            in (s & 0xffff) + (s >> 16)
  in if s == 65535 then 0 else s

entry main [n] [l] (xs: [n][l]i32) (ys: [n][l]i32) : ([n][]u16, [n]u32, i64) =
  let limbs = map (map (\v -> u32.i32 v & 0xffff))
  let (a, b) = (limbs xs, limbs ys)
  let (p, s, ok) =
    unzip3 (map2 (\x y ->
      let xy = carry (columns x y)
      let sq = carry (columns (take l xy) (take l xy))
      let expect = u32.u64 ((u64.u32 (residue x) * u64.u32 (residue y)) % 65535)
      in (map u16.u32 xy, residue sq, residue xy == expect)) a b)
  in (p, s, i64.sum (map i64.bool ok))
