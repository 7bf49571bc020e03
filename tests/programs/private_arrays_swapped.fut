-- Two private arrays that a loop exchanges at every step, in every thread.
-- ==
-- input { [[1, 2, 3, 4]] 0 } output { [[1, 2, 3, 4]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 1 } output { [[0, 0, 0, 0], [0, 0, 0, 0]] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 4 } output { [[5, 6, 7, 8], [5, 10, 11, 12]] }

entry main [n] [m] (xss: [n][m]i32) (k: i32) : [n][m]i32 =
  map (\xs ->
    let (a, _) = loop (a, b) = (copy xs, replicate m 0) for i < k do (map (+ i) (copy b), copy a with [0] = i)
    in a) xss
