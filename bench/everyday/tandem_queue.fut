-- Tandem of single-server queues (Lindley): departures of each station by a max-plus scan of (max, sum) pairs, waiting statistics.
def none : i64 = -(1 << 60)

def station [n] (arrive: [n]i64) (service: [n]i64) : [n]i64 =
  map (.0) (scan (\(m1, s1) (m2, s2) -> (i64.max none (i64.max (m1 + s2) m2), s1 + s2)) (none, 0)
                 (map2 (\a s -> (a + s, s)) arrive service))

def main [k][n] (load: i64) (gaps: [n]u16) (work: [k][n]u16) : ([k]f64, [k]i64, [n]i64) =
  let arrivals = scan (+) 0 (map i64.u16 gaps)
  let (out, means, tops) =
    loop (at, means, tops) = (arrivals, replicate k 0, replicate k 0) for s < k do
      let serve = map (\w -> i64.u16 w * load / 100) work[s]
      let leave = station at serve
      let wait = map3 (\d a w -> d - a - w) leave at serve
      in (leave,
          means with [s] = f64.i64 (i64.sum wait) / f64.i64 (i64.max 1 n),
          tops with [s] = reduce i64.max 0 wait)
  in (means, tops, map2 (-) out arrivals)
