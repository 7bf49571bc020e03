-- A match on a sum type in every thread.
-- ==
-- entry: shapes
-- input { [0, 1, 2, 3] [2, 3, 4, 5] } output { [12, 9, 8, 15] }

-- ==
-- entry: numbers
-- input { [0, 1, 2, 7, -1] } output { [10, 21, -1, 77, -1] }

type shape = #circle i32 | #square i32 | #rectangle i32 i32

def shape_of (k: i32) (x: i32) : shape =
  if k == 0 then #circle x else if k == 1 then #square x else #rectangle x k

def area (s: shape) : i32 =
  match s
  case #circle r -> 3 * r * r
  case #square a -> a * a
  case #rectangle a b -> a * b

entry shapes [n] (ks: [n]i32) (xs: [n]i32) : [n]i32 = map2 (\k x -> area (shape_of k x)) ks xs

entry numbers (xs: []i32) : []i32 =
  map (\x -> match x case 0 -> 10 case 1 -> 21 case 7 -> 77 case _ -> -1) xs
