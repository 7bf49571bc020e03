-- Kaplan-Meier survival curves of several groups, their median times, and the log-rank statistic of group 0 against the rest.
type tally = {died: i32, censored: i32}

def main [n] (groups: i64) (bins: i64) (age: [n]u16) (info: [n]u8) : ([groups][bins]f64, [groups]i64, f64) =
  let tadd (a: tally) (b: tally) : tally = {died = a.died + b.died, censored = a.censored + b.censored}
  let records =
    map2 (\a i ->
            let g = i64.u8 (i >> 2) % groups
            let t = (i64.u16 a * bins * (3 + g % 3)) / (65536 * 5)
            let one: tally = if i & 3 == 0 then {died = 0, censored = 1} else {died = 1, censored = 0}
            in (g * bins + t, one))
         age info
  let flat = reduce_by_index (replicate (groups * bins) {died = 0, censored = 0}) tadd {died = 0, censored = 0}
                             (map (.0) records) (map (.1) records)
  let table : [groups][bins]tally = unflatten flat
  let at_risk (row: [bins]tally) =
    reverse (scan (+) 0 (reverse (map (\c -> c.died + c.censored) row)))
  let risk = map at_risk table
  let curves =
    map2 (\row rs ->
            scan (*) 1 (map2 (\c r -> if r == 0 then 1 else 1 - f64.i32 c.died / f64.i32 r) row rs))
         table risk
  let medians = map (\c -> i64.sum (map (\s -> i64.bool (s > 0.50001)) c)) curves
  let by_time =
    map2 (\col rcol ->
            let d = f64.i32 (i32.sum (map (\c -> c.died) col))
            let r = f64.i32 (i32.sum rcol)
            let r0 = f64.i32 rcol[0]
            in if r < 2 then (0, 0)
               else (f64.i32 col[0].died - d * r0 / r,
                     d * (r0 / r) * (1 - r0 / r) * (r - d) / (r - 1)))
         (transpose table) (transpose risk)
  let (o, v) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) by_time
  in (curves, medians, if v > 0 then o * o / v else 0)
