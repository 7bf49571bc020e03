-- Sum types at entry points, with payloads of several types, scalars and arrays.
-- ==
-- entry: area
-- script input { circle 2.0f32 } output { 12.0f32 }
-- script input { rectangle 2.0f32 3.0f32 } output { 6.0f32 }
-- script input { nothing } output { 0.0f32 }

-- ==
-- entry: total
-- script input { many 4i64 } output { 6 }
-- script input { one 7 } output { 7 }

type shape = #circle f32 | #rectangle f32 f32 | #nothing
type numbers = #many ([4]i32) | #one i32

entry circle (r: f32) : shape = #circle r

entry rectangle (a: f32) (b: f32) : shape = #rectangle a b

entry nothing : shape = #nothing

entry area (s: shape) : f32 =
  match s
  case #circle r -> 3 * r * r
  case #rectangle a b -> a * b
  case #nothing -> 0

entry many (n: i64) : numbers = #many (map i32.i64 (iota n :> [4]i64))

entry one (x: i32) : numbers = #one x

entry total (ns: numbers) : i32 =
  match ns
  case #many xs -> xs[0] + xs[1] + xs[2] + xs[3]
  case #one x -> x
