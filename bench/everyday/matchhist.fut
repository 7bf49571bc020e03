-- Histogram matching of 16-bit images: both cumulative histograms, a look-up table by binary search in the reference's, the mapped image.
def bins: i64 = 65536

def cumulative [n] (px: [n]u16): [bins]i64 =
  let h = reduce_by_index (replicate bins 0i64) (+) 0 (map i64.u16 px) (replicate n 1)
  in scan (+) 0 h

def lower_bound [n] (a: [n]i64) (x: i64): i64 =
  (loop (lo, hi) = (0, n) while lo < hi do
     let mid = (lo + hi) / 2
     in if a[mid] < x then (mid + 1, hi) else (lo, mid)).0

entry main [k][n][p] (images: [k][n]u16) (reference: [p]u16): ([k][n]u16, [k][256]u16) =
  let want = cumulative reference
  let one im =
    let table = map (\c -> u16.i64 (i64.min (bins - 1) (lower_bound want (c * p / n)))) (cumulative im)
    in (map (\v -> table[i64.u16 v]) im, table[0:bins:256] :> [256]u16)
  in unzip (map one images)
