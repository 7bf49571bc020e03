-- Sequencing depth from alignments: each read's CIGAR operations become +1/-1 events on the genome, then one scan.
def main [r][k] (genome: i64) (pos: [r]u32) (ops: [r][k]u8) : ([genome]i32, i32, f64, [64]i32) =
  let g = genome + 1
  let expand (p: u32) (cig: [k]u8) : [k](i64, i64) =
    let start = i64.u32 p % g
    let len (o: u8) = 1 + i64.u8 (o >> 3)
    let refs = map (\o -> if o % 8 < 5 || o % 8 == 6 then len o else 0) cig  -- M M M M M I D S
    let ends = map (+ start) (scan (+) 0 refs)
    in map3 (\o e l -> if o % 8 < 5 then (i64.min genome (e - l), i64.min genome e) else (-1, -1)) cig ends refs
  let (from, to) = unzip (flatten (map2 expand pos ops))
  let n = r * k
  let diff = reduce_by_index (replicate g 0) (+) 0 (from ++ to :> [n + n]i64)
                             (replicate n 1 ++ replicate n (-1) :> [n + n]i32)
  let depth = take genome (scan (+) 0 diff)
  let mean = f64.i64 (i64.sum (map i64.i32 depth)) / f64.i64 (i64.max 1 genome)
  in (depth, i32.maximum depth, mean, hist (+) 0 64 (map (\d -> i64.i32 (i32.min d 63)) depth) (replicate genome 1))
