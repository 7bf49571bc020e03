-- A loop whose results are its parameters in another order: all must be read before any is written.
-- ==
-- entry: threads
-- input { [0, 1, 2, 5] } output { [1, 2, 3, 6] [2, 3, 3, 8] [3, 3, 5, 11] }

-- ==
-- entry: host
-- input { 4 1 2 3 } output { 5 6 8 }

def turn (a: i32, b: i32, c: i32) = (b, c, a + b)

entry threads (ks: []i32) : ([]i32, []i32, []i32) =
  unzip3 (map (\k -> loop (a, b, c) = (1, 2, 3) for _i < k do turn (a, b, c)) ks)

entry host (k: i32) (a: i32) (b: i32) (c: i32) : (i32, i32, i32) =
  loop (a, b, c) for _i < k do turn (a, b, c)
