-- TPC-H's query 1: filter on a date, six groups, eight aggregates each, by one masked reduction per group.
type agg = { qty: i64, base: f64, disc: f64, charge: f64, dsum: i64, cnt: i64, first: i32, last: i32 }

def neutral : agg = { qty = 0, base = 0, disc = 0, charge = 0, dsum = 0, cnt = 0, first = i32.highest, last = i32.lowest }

def merge (a: agg) (b: agg) : agg =
  { qty = a.qty + b.qty
  , base = a.base + b.base
  , disc = a.disc + b.disc
  , charge = a.charge + b.charge
  , dsum = a.dsum + b.dsum
  , cnt = a.cnt + b.cnt
  , first = i32.min a.first b.first
  , last = i32.max a.last b.last }

entry main [n] (until: i64) (date: [n]i32) (flag: [n]u8) (qty: [n]u8) (price: [n]f32) (disc: [n]u8) (tax: [n]u8) =
  let days = map (\d -> (d & 0x7fffffff) % 2557) date
  let group g =
    let item i =
      if i64.u8 (flag[i] % 6) != g || i64.i32 days[i] > until then neutral
      else let p = 100 + 900 * f64.f32 price[i]
           let d = f64.u8 (disc[i] % 11) / 100
           let t = f64.u8 (tax[i] % 9) / 100
           in { qty = i64.u8 (1 + qty[i] % 50), base = p, disc = p * (1 - d), charge = p * (1 - d) * (1 + t),
                dsum = i64.u8 (disc[i] % 11), cnt = 1, first = days[i], last = days[i] }
    let a = reduce_comm merge neutral (map item (iota n))
    let k = f64.i64 (i64.max 1 a.cnt)
    in (a.qty, [a.base, a.disc, a.charge, f64.i64 a.qty / k, a.base / k, f64.i64 a.dsum / k], a.cnt, (a.first, a.last))
  let (q, sums, counts, range) = unzip4 (map group (iota 6))
  let (first, last) = unzip range
  in (q, sums, counts, first, last)
