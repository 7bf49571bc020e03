-- What Python calls through the futhark-ffi package.
type point = {x: f32, y: f32}
type~ shape = #circle f64 | #box f64 f64

entry add [n] (x: [n]i64) (y: [n]i64) : [n]i64 = map2 (+) x y
entry bytes [n] (x: [n]u8) : [n]u8 = map (+ 1) x
entry product [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a
entry both (x: i32) (y: f64) : (i32, f64) = (x + 1, 2 * y)
entry points [n] (x: [n]f32) (y: [n]f32) : [n]point = map2 (\x y -> {x, y}) x y
entry weights [n] (p: [n]point) : [n]f32 = map (\q -> q.x + 10 * q.y) p
entry circle (r: f64) : shape = #circle r
entry box (a: f64) (b: f64) : shape = #box a b
entry area (s: shape) : f64 =
  match s
  case #circle r -> 3 * r * r
  case #box a b -> a * b
entry positive (x: i32) : i32 = assert (x > 0) x
