-- Cumulative GC skew of a genome: origin and terminus as the arg-extrema of a scan, and windowed GC content.
def arg [n] (better: i32 -> i32 -> bool) (ne: i32) (xs: [n]i32) : i64 =
  (reduce (\(a, i) (b, j) -> if better a b || (a == b && i < j) then (a, i) else (b, j))
          (ne, i64.highest) (zip xs (iota n))).1

def main [n] (window: i64) (bases: [n]u8) : (i64, i64, []i32, []f32) =
  let code = map (\b -> b >> 6) bases  -- A C G T
  let skew = scan (+) 0 (map (\c -> if c == 1 then -1 else if c == 2 then 1 else 0i32) code)
  let gc = scan (+) 0 (map (\c -> i32.bool (c == 1 || c == 2)) code)
  let origin = arg (<) i32.highest skew
  let terminus = arg (>) i32.lowest skew
  let k = n / window
  let wins = tabulate k (\w ->
    let hi = gc[(w + 1) * window - 1]
    let lo = if w == 0 then 0 else gc[w * window - 1]
    in f32.i32 (hi - lo) / f32.i64 window)
  let rel = tabulate k (\w -> if origin < n then skew[w * window] - skew[origin] else 0)
  in (origin, terminus, rel, wins)
