-- BWA-style quality trimming of reads: suffix scans per read pick the cut, kept bases are compacted into one stream.
def cut [m] (limit: i32) (q: [m]u8) : i64 =
  let gain = map (\x -> limit - i32.u8 (x % 42)) q
  let suf = reverse (scan (+) 0 (reverse gain))
  let (top, at) =
    reduce (\(a, i) (b, j) -> if a > b || (a == b && i > j) then (a, i) else (b, j))
           (i32.lowest, -1) (zip suf (iota m))
  in if top > 0 then at else m

def main [n][m] (limit: i32) (minlen: i64) (quals: [n][m]u8) (bases: [n][m]u8) : ([n]i64, []u8, [42]i32) =
  let ends = map (\q -> let c = cut limit q in if c < minlen then 0 else c) quals
  let starts = map2 (-) (scan (+) 0 ends) ends
  let total = i64.sum ends
  let dest = map2 (\s e -> tabulate m (\j -> if j < e then s + j else -1)) starts ends
  let letter (b: u8) : u8 = if b % 4 == 0 then 'A' else if b % 4 == 1 then 'C' else if b % 4 == 2 then 'G' else 'T'
  let out = scatter (replicate total 'N') (flatten dest) (flatten (map (map letter) bases))
  let kept = map2 (\q e -> map2 (\x j -> if j < e then i64.u8 (x % 42) else -1) q (iota m)) quals ends
  in (ends, out, hist (+) 0 42 (flatten kept) (replicate (n * m) 1))
