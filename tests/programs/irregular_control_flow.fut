-- Threads that go different ways for different times: loops in branches in loops.
-- ==
-- input { [0, 1, 7, 12, 30] } output { [0, 0, 25, 20, 442] }
-- input { empty([0]i32) } output { empty([0]i32) }

entry main (xs: []i32) : []i32 =
  map (\x ->
    loop acc = 0 for i < x do
      if i % 3 == 0 then (loop acc for j < i do acc + j)
      else if i % 5 == 0 then (loop acc while acc > 10 do acc / 2)
      else acc + i) xs
