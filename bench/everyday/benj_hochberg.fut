-- Benjamini-Hochberg: p-values radix-sorted two bits a pass, backward running minimum gives q-values, scattered back.
def pass [n] (bit: i32) (keys: [n]u32, ids: [n]i32) : ([n]u32, [n]i32) =
  let digit k = (k >> u32.i32 bit) & 3
  let ones = map (\k -> let d = digit k
                        in (i32.bool (d == 0), i32.bool (d == 1), i32.bool (d == 2), i32.bool (d == 3))) keys
  let sums = scan (\(a, b, c, d) (e, f, g, h) -> (a + e, b + f, c + g, d + h)) (0, 0, 0, 0) ones
  let (na, nb, nc, _) = if n == 0 then (0, 0, 0, 0) else sums[n - 1]
  let dest = map2 (\k (a, b, c, d) ->
    let g = digit k
    in i64.i32 (if g == 0 then a - 1 else if g == 1 then na + b - 1
                else if g == 2 then na + nb + c - 1 else na + nb + nc + d - 1)) keys sums
  in (scatter (replicate n 0) dest keys, scatter (replicate n 0) dest ids)

def main [n] (alpha: f64) (raw: [n]u32) : ([n]f64, i64, u32) =
  -- one raw value in eight is a strong signal
  let ps = map (\x -> if x % 8 == 0 then x >> 12 else x) raw
  let (sorted, ids) = loop st = (ps, map i32.i64 (iota n)) for k < 16 do pass (2 * k) st
  let adj = map2 (\p i -> f64.u32 p / 4294967296 * f64.i64 n / f64.i64 (i + 1)) sorted (iota n)
  let qs = reverse (scan f64.min 1 (reverse adj))
  let back = scatter (replicate n 0) (map i64.i32 ids) qs
  let rejected = i64.sum (map (\q -> i64.bool (q <= alpha)) qs)
  in (back, rejected, if rejected > 0 then sorted[rejected - 1] else 0)
