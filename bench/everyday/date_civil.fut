-- Day numbers to civil dates (year, month, day), and how many fall on each weekday of each month.
def civil (days: i32) : (i32, i32, i32) =
  let z = days + 719468
  let era = z / 146097
  let doe = z % 146097
  let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365
  let doy = doe - (365 * yoe + yoe / 4 - yoe / 100)
  let mp = (5 * doy + 2) / 153
  let m = if mp < 10 then mp + 3 else mp - 9
  in (yoe + era * 400 + i32.bool (m <= 2), m, doy - (153 * mp + 2) / 5 + 1)

entry main [n] (stamps: [n]i32) : ([n]i32, [12][7]i32) =
  let days = map (\s -> (s & 0x7fffffff) / 86400 * 2) stamps
  let dates = map civil days
  let cells = map2 (\d (_, m, _) -> (i64.i32 m - 1, i64.i32 ((d + 4) % 7))) days dates
  in (map (\(y, m, d) -> y * 10000 + m * 100 + d) dates,
      reduce_by_index_2d (replicate 12 (replicate 7 0i32)) (+) 0 cells (replicate n 1))
