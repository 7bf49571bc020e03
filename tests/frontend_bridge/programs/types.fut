-- Types at entry points: records, sums, arrays of records, opaque values, uniqueness, unsigned numbers.
type point = {x: f32, y: f32}
type~ shape = #circle point f32 | #polygon ([](f32, f32)) | #nothing
type pair 'a 'b = (a, b)

entry centre (ps: []point) : point =
  let n = f32.i64 (length ps)
  in {x = reduce (+) 0 (map (.x) ps) / n, y = reduce (+) 0 (map (.y) ps) / n}

entry area (s: shape) : f32 =
  match s
  case #circle _ r -> f32.pi * r * r
  case #polygon ps -> reduce (+) 0 (map2 (\p q -> p.0 * q.1 - q.0 * p.1) ps (rotate 1 ps)) / 2
  case #nothing -> 0

entry swap (p: pair i32 u8) : pair u8 i32 = (p.1, p.0)

entry points (n: i64) : []point = map (\i -> {x = f32.i64 i, y = 0}) (iota n)

entry fill [n] (a: *[n]u16) (first: u16) : *[n]u16 = a with [0] = first

entry halves (x: f16) (b: bool) : (f16, f64) = if b then (x / 2, f64.nan) else (x, -f64.inf)
