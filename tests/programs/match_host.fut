-- A match on the host over numbers and over a sum type that carries an array.
-- ==
-- entry: numbers
-- input { 0 [1, 2] } output { [2, 3] }
-- input { 1 [1, 2] } output { [2, 4] }
-- input { 9 [1, 2] } output { [2, 1] }

-- ==
-- entry: sums
-- input { true [1, 2, 3] } output { [3, 6, 9] }
-- input { false [1, 2, 3] } output { [1, 1, 1] }

entry numbers (k: i32) (xs: []i32) : []i32 =
  match k
  case 0 -> map (+ 1) xs
  case 1 -> map (* 2) xs
  case _ -> reverse xs

type either [n] = #array ([n]i32) | #scalar i32

def make [n] (b: bool) (xs: [n]i32) : either [n] = if b then #array (map (* 3) xs) else #scalar xs[0]

entry sums [n] (b: bool) (xs: [n]i32) : [n]i32 =
  match make b xs
  case #array ys -> ys
  case #scalar x -> replicate n x
