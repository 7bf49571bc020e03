-- Pivot: rows by one key, columns by another; counts, sums, means, row and column totals, shares, and rank of each row.
def total2 [a][b] (x: [a][b]i64) : ([a]i64, [b]i64, i64) =
  let rows = map i64.sum x
  in (rows, map i64.sum (transpose x), i64.sum rows)

def tally [n] (a: i64) (b: i64) (keys: [n]i64) (vals: [n]i64) : [a][b]i64 =
  unflatten (hist (+) 0 (a * b) keys vals)

entry main [n] (a: i64) (b: i64) (row: [n]i32) (col: [n]u8) (amount: [n]u8) =
  let keys = map2 (\r c -> i64.i32 (r & 0x7fffffff) % a * b + i64.u8 c % b) row col
  let counts = tally a b keys (replicate n 1)
  let sums = tally a b keys (map i64.u8 amount)
  let means = map2 (map2 (\s c -> if c > 0 then f64.i64 s / f64.i64 c else 0)) sums counts
  let (rt, ct, all) = total2 sums
  let share = map2 (\r t -> map (\v -> if t > 0 then f64.i64 v / f64.i64 t else 0) r) sums rt
  let rank = map2 (\i t -> i64.sum (map2 (\j u -> i64.bool (u > t || (u == t && j < i))) (iota a) rt)) (iota a) rt
  in (counts, means, share, rt, ct, all, rank)
