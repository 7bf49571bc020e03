-- A division by zero in one thread stops the program with Futhark's words.
-- ==
-- input { [10, 20] [2, 5] } output { [5, 4] }
-- input { [10, 20] [2, 0] } error: division by zero
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }

entry main (xs: []i32) (ys: []i32) : []i32 =
  map2 (/) (xs :> [length xs]i32) (ys :> [length xs]i32)
