-- SQL window functions over contiguous partitions: row_number, running sum and max, lag, share of the partition's total.
def segscan 't [n] (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  let combine (f1, x) (f2, y) = (f1 || f2, if f2 then y else x `op` y)
  in (unzip (scan combine (false, ne) (zip flags xs))).1

-- Every row gets the last value of its partition.
def spread_last 't [n] (flags: [n]bool) (dummy: t) (xs: [n]t) : [n]t =
  let ids = map (\x -> x - 1) (scan (+) 0 (map i64.bool flags))
  let is_last = tabulate n (\i -> i == n - 1 || flags[i + 1])
  let k = if n == 0 then 0 else ids[n - 1] + 1
  let lasts = scatter (replicate k dummy) (map2 (\l i -> if l then i else -1) is_last ids) xs
  in map (\i -> lasts[i]) ids

type row = {num: i32, sum: i32, top: i32}

entry main [n] (part: [n]u8) (vals: [n]i32) =
  let flags = map2 (\i p -> i == 0 || p < 6) (iota n) part
  let small = map (\x -> (x & 0xff) + 1) vals
  let plus (a: row) (b: row): row = {num = a.num + b.num, sum = a.sum + b.sum, top = i32.max a.top b.top}
  let rows = segscan plus {num = 0, sum = 0, top = i32.lowest} flags
                     (map2 (\s v -> {num = 1i32, sum = s, top = v}) small vals)
  let totals = spread_last flags 0 (map (.sum) rows)
  let lag = map3 (\i f s -> if f then 0 else s - small[i - 1]) (iota n) flags small
  let share = map2 (\s t -> f32.i32 s / f32.i32 t) small totals
  in (map (.num) rows, map (.sum) rows, map (.top) rows, lag, share)
