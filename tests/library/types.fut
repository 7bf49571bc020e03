-- What crosses the C API: all types, errors, consumption.
type point = {x: f32, y: f32}
type rec = {a: i32, b: [3]f32}
type nested = {p: point, r: rec, t: (bool, u16)}
type~ sum = #bar ([]f64) | #baz | #foo i32 f32
type flat = #left i32 | #right f32
type sum_of_records = #one point | #two (point, i64) | #none

entry scalars (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64) (i: f16) (j: f32) (k: f64) (l: bool) =
  (a + 1, b + 1, c + 1, d + 1, e + 1, f + 1, g + 1, h + 1, i + 1, j + 1, k + 1, not l)

entry inc_i8 (x: []i8) = map (+ 1) x
entry inc_i16 (x: [][]i16) = map (map (+ 1)) x
entry inc_i32 (x: []i32) = map (+ 1) x
entry inc_i64 (x: []i64) = map (+ 1) x
entry inc_u8 (x: []u8) = map (+ 1) x
entry inc_u16 (x: []u16) = map (+ 1) x
entry inc_u32 (x: []u32) = map (+ 1) x
entry inc_u64 (x: []u64) = map (+ 1) x
entry inc_f16 (x: []f16) = map (+ 1) x
entry inc_f32 (x: []f32) = map (+ 1) x
entry inc_f64 (x: []f64) = map (+ 1) x
entry negate (x: []bool) = map not x
entry turned (x: [][][]i32) = map transpose x
entry same (x: []i32) : []i32 = x

entry consuming (x: *[]i32) (i: i64) : *[]i32 = x with [i] = 42
entry gather (x: []i32) (is: []i64) = map (\i -> x[i]) is
entry checked (x: i32) = assert (x > 0) x
entry dot [n] (x: [n]i32) (y: [n]i32) = i32.sum (map2 (*) x y)
entry large (n: i64) : []i64 = iota n
entry primed' (x': i32) = x' + 1

entry make_rec (n: i32) : rec = {a = n, b = [1, 2, 3]}
entry rec_sum (r: rec) : f32 = f32.i32 r.a + f32.sum r.b
entry make_nested (x: f32) : nested = {p = {x, y = 2 * x}, r = {a = 7, b = [x, x, x]}, t = (true, 9)}
entry nested_sum (n: nested) : f32 = n.p.x + n.p.y + f32.i32 n.r.a + f32.sum n.r.b + f32.u16 n.t.1

entry make_recs (n: i64) : [n]rec = tabulate n (\i -> {a = i32.i64 i, b = replicate 3 (f32.i64 i)})
entry recs_sum (rs: []rec) : f32 = f32.sum (map (\r -> f32.i32 r.a + f32.sum r.b) rs)
entry swapped [n] (x: [n](i32, f32)) : [n](f32, i32) = map (\(a, b) -> (b, a)) x
entry grid (n: i64) (m: i64) : [n][m]point = tabulate_2d n m (\i j -> {x = f32.i64 i, y = f32.i64 j})

entry make_sum (x: i32) : sum = if x > 0 then #foo x 2 else if x == 0 then #baz else #bar [3, 4]
entry sum_value (s: sum) : f64 =
  match s
  case #foo a b -> f64.i32 a + f64.f32 b
  case #bar x -> f64.sum x
  case #baz -> -1
entry make_sums (n: i64) : [n]flat = tabulate n (\i -> if i % 2 == 0 then #left (i32.i64 i) else #right 1)
entry sum_of_records_value (s: sum_of_records) : f32 =
  match s
  case #one p -> p.x + p.y
  case #two (p, i) -> p.x + p.y + f32.i64 i
  case #none -> 0
