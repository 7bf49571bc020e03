-- Blocks of threads add to an accumulator in one of two branches, which yield a scalar besides.
-- ==
-- input { [[1, 2], [3, 4]] [10, 100] [[0, 1], [1, 5]] [0i64, 1i64] } output { [[20, 40], [600, 800]] [5, 25] }
-- input { [[1, 2], [3, 4]] [10, 100] [[0, 1], [1, 5]] [7i64, 0i64] } output { [[200, 400], [0, 0]] [0, 5] }

def squares [n] [m] [l] [k] (weights: [l][k]i32) (at: [l]i64) (xs: [n][m]i32, scales: [l]i32) : [l]i32 =
  map3 (\ws i scale ->
    let vs = opaque (map (+ 1) ws)
    in if i >= n || vs[0] < 0 then 0 else i32.sum (map (\x -> x * x * scale) xs[i])) weights at scales

entry main [n] [m] [l] [k] (xs: [n][m]i32) (scales: [l]i32) (weights: [l][k]i32) (at: [l]i64) : ([n][m]i32, [l]i32) =
  vjp (squares weights at) (xs, scales) (replicate l 1)
