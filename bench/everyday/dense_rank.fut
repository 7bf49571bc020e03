-- SQL window ranks: rows sorted by (department, salary) with a bitwise radix sort, then row_number, rank and dense_rank by segmented scans.
def by_bit [n] (b: i32) (xs: [n](u32, i64)) : [n](u32, i64) =
  let one = map (\(k, _) -> i64.u32 ((k >> u32.i32 b) & 1)) xs
  let zeros = map (1 -) one
  let z = scan (+) 0 zeros
  let o = scan (+) 0 one
  let nz = if n == 0 then 0 else z[n-1]
  let dest = map3 (\f a c -> if f == 1 then nz + c - 1 else a - 1) one z o
  in scatter (copy xs) dest xs

def segsum [n] (fs: [n]bool) (xs: [n]i32) : [n]i32 =
  map (.1) (scan (\(f, a) (g, b) -> (f || g, if g then b else a + b)) (false, 0) (zip fs xs))

entry main [n] (depts: i64) (dept: [n]u16) (salary: [n]u16) : ([n]i32, [n]i32, [n]i32, [n]f32) =
  let nd = u32.i64 (i64.max 1 (i64.min 256 depts))
  let key = map2 (\d s -> ((u32.u16 d % nd) << 10) | (u32.u16 s % 700)) dept salary
  let sorted = loop xs = zip key (iota n) for b < 18 do by_bit b xs
  let (ks, rows) = unzip sorted
  let newd = tabulate n (\i -> i == 0 || ks[i] >> 10 != ks[i-1] >> 10)
  let newk = tabulate n (\i -> i == 0 || ks[i] != ks[i-1])
  let rn = segsum newd (replicate n 1)
  let dense = segsum newd (map i32.bool newk)
  let rank = map (.1) (scan (\(f, a) (g, b) -> (f || g, if g then b else a)) (false, 0) (zip newk rn))
  let put xs = scatter (replicate n 0) rows xs
  in (put rn, put rank, put dense, map2 (\a b -> f32.i32 a / f32.i32 b) (put dense) (put rn))
