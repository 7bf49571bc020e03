-- Star-schema query: a fact table joined with three dimensions, filtered by region, revenue grouped by year and brand.
type fact = {cust: i32, part: i32, date: i32, qty: u8, price: f32}

def lookup [n] 't (dim: [n]t) (key: i32) : t =
  dim[i64.i32 (key & 0x7fffffff) % n]

def years : i64 = 8
def brands : i64 = 16

entry main [n] [c] [p] [d]
    (region_wanted: i32)
    (cust_region: [c]u8) (part_brand: [p]u8) (date_year: [d]u8)
    (cust: [n]i32) (part: [n]i32) (date: [n]i32) (qty: [n]u8) (price: [n]f32)
    : ([years][brands]f64, [years]i64) =
  let facts : [n]fact =
    map5 (\c p d q pr -> {cust = c, part = p, date = d, qty = q, price = pr}) cust part date qty price
  let group (f: fact) : (i64, f64, i64) =
    if i32.u8 (lookup cust_region f.cust) % 5 != region_wanted
    then (-1, 0, 0)
    else let y = i64.u8 (lookup date_year f.date) % years
         let b = i64.u8 (lookup part_brand f.part) % brands
         in (y * brands + b, f64.f32 f.price * f64.u8 f.qty, 1)
  let (keys, revenue, ones) = unzip3 (map group facts)
  let sums = hist (+) 0 (years * brands) keys revenue
  let counts = hist (+) 0i64 (years * brands) keys ones
  in (unflatten sums, map i64.sum (unflatten counts :> [years][brands]i64))
