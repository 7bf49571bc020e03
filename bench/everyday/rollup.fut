-- Group by two columns with a rollup to one and to none: count, sum, least and greatest.
type agg = (i64, i64, i32, i32)
def join ((c, s, l, h): agg) ((c', s', l', h'): agg) : agg = (c + c', s + s', i32.min l l', i32.max h h')
def none : agg = (0, 0, i32.highest, i32.lowest)

entry main [n] (regions: i64) (products: i64) (region: [n]u8) (product: [n]i32) (amount: [n]i32) (ok: [n]bool)
    : ([regions][products]i64, [regions]i64, [regions]i32, [regions]i32, i64, i64, i32) =
  let group r p ok =
    if ok then (i64.u8 r % regions) * products + i64.i32 (p & 0x7fffffff) % products else -1
  let value a : agg = let v = a / 65536 in (1, i64.i32 v, v, v)
  let cells = reduce_by_index (replicate (regions * products) none) join none (map3 group region product ok) (map value amount)
  let cells = unflatten cells
  let rows = map (reduce join none) cells
  let (count, sum, _, top) = reduce join none rows
  in (map (map (.1)) cells, map (.0) rows, map (.2) rows, map (.3) rows, count, sum, top)
