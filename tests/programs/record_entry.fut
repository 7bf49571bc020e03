-- Records at entry points: made by one, taken by others, with arrays inside and inside each other.
-- ==
-- entry: norm
-- script input { make 3.0f32 4.0f32 } output { 5.0f32 }

-- ==
-- entry: sum
-- script input { collect 4i64 } output { 13 }

-- ==
-- entry: swapped
-- script input { swap (make 1.0f32 2.0f32) } output { 2.0f32 1.0f32 }

type point = {x: f32, y: f32}
type collection [n] = {values: [n]i32, origin: point, count: i64}

entry make (x: f32) (y: f32) : point = {x, y}

entry norm (p: point) : f32 = f32.sqrt (p.x * p.x + p.y * p.y)

entry swap (p: point) : point = {x = p.y, y = p.x}

entry swapped (p: point) : (f32, f32) = (p.x, p.y)

entry collect (n: i64) : collection [n] =
  {values = map (i32.i64 >-> (+ 1)) (iota n), origin = {x = 1, y = 2}, count = n}

entry sum [n] (c: collection [n]) : i32 =
  (loop s = 0 for v in c.values do s + v) + i32.f32 (c.origin.x + c.origin.y)
