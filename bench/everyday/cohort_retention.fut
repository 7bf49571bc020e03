-- Cohort retention of a shop: first month of each customer (minimum by index), distinct active months, cohort by age table and fractions.
def months : i64 = 24
entry main [n] (customers: i64) (who: [n]u32) (day: [n]u16) : ([months][months]i32, [months][months]f32, i32) =
  let nc = i64.max 1 customers
  let c = map (\x -> i64.u32 x % nc) who
  let m = map (\d -> let t = i64.u16 d % 720 in (t * t / 720) / 30) day
  let first = reduce_by_index (replicate nc months) i64.min months c m
  let active = scatter (replicate (nc * months) false) (map2 (\a b -> a * months + b) c m) (replicate n true)
  let cell i =
    let (a, b) = (i / months, i % months)
    in if active[i] then first[a] * months + b - first[a] else -1
  let table = unflatten (hist (+) 0i32 (months * months) (map cell (iota (nc * months))) (replicate (nc * months) 1))
  let share = map (\r -> map (\x -> if r[0] == 0 then 0 else f32.i32 x / f32.i32 r[0]) r) table
  in (table, share, i32.sum (map (\f -> i32.bool (f < months)) first))
