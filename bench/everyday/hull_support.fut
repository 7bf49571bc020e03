-- Extreme points of a cloud in many directions (the convex hull's support), the widths, and the directions of least and most width.
type extreme = {lo: i64, hi: i64, at_lo: i32, at_hi: i32}

def outer (a: extreme) (b: extreme) : extreme =
  let low_a = a.lo < b.lo || (a.lo == b.lo && a.at_lo <= b.at_lo)
  let high_a = a.hi > b.hi || (a.hi == b.hi && a.at_hi <= b.at_hi)
  in { lo = if low_a then a.lo else b.lo
     , at_lo = if low_a then a.at_lo else b.at_lo
     , hi = if high_a then a.hi else b.hi
     , at_hi = if high_a then a.at_hi else b.at_hi }

def nothing : extreme = {lo = i64.highest, hi = i64.lowest, at_lo = i32.highest, at_hi = i32.highest}

entry main [k] [n] (dx: [k]i32) (dy: [k]i32) (px: [n]i32) (py: [n]i32) : ([k]i32, [k]i32, [k]i64, i64, i64) =
  let shrink (x: i32) = i64.i32 (x >> 16)
  let along x y =
    let project px py i : extreme =
      let p = shrink px * shrink x + shrink py * shrink y
      in {lo = p, hi = p, at_lo = i32.i64 i, at_hi = i32.i64 i}
    in reduce_comm outer nothing (map3 project px py (iota n))
  let es = map2 along dx dy
  let widths = map (\(e: extreme) -> e.hi - e.lo) es
  let pick better = reduce (\i j -> if i < 0 then j else if j < 0 then i
                                    else if better widths[j] widths[i] then j else i) (-1) (iota k)
  in (map (.at_lo) es, map (.at_hi) es, widths, pick (<), pick (>))
