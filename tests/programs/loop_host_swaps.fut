-- Loops around loops: arrays change places in each step, after an inner loop has gone on from one of them.
-- ==
-- entry: handed_on taken_twice three swapped_within both turned until mapped
-- input { [1, 2] [5, 6] } auto output
-- input { [1, 2, 3, 4, 5, 6, 7] [8, 9, 10, 11, 12, 13, 14] } auto output
-- input { empty([0]i32) empty([0]i32) } auto output

entry handed_on [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  loop (a: [n]i32, b: [n]i32) = (xs, ys) for i < 3i32 do
    let r = loop (r: [n]i32) = a for _j < 2 + i do map (+ 1) r
    in (b, r)

entry taken_twice [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  loop (a: [n]i32, b: [n]i32) = (xs, ys) for _i < 4i32 do
    let r = loop (r: [n]i32) = a for _j < 3i32 do map2 (+) b r
    in (r, r)

entry three [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  loop (a: [n]i32, b: [n]i32, c: [n]i32) = (xs, ys, xs) for _i < 4i32 do
    let r = loop (r: [n]i32) = a for _j < 3i32 do map (+ 1) r
    in (b, c, r)

entry swapped_within [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  loop (a: [n]i32, b: [n]i32) = (xs, ys) for _i < 4i32 do
    let (p, q) = loop (p: [n]i32, q: [n]i32) = (a, b) for _j < 3i32 do (q, map (+ 1) p)
    in (q, p)

entry both [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  loop (a: [n]i32, b: [n]i32) = (xs, ys) for _i < 4i32 do
    let r = loop (r: [n]i32) = a for _j < 3i32 do map (+ 1) r
    let s = loop (s: [n]i32) = b for _j < 3i32 do map (* 3) s
    in (s, r)

entry turned [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  loop (a: [n]i32, b: [n]i32, c: [n]i32, d: [n]i32) = (xs, ys, xs, ys) for _i < 4i32 do
    let r = loop (r: [n]i32) = a for _j < 3i32 do map (+ 1) r
    let q = loop (q: [n]i32) = c for _j < 2i32 do map2 (+) q d
    in (b, r, d, q)

entry until [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, i32) =
  loop (a: [n]i32, b: [n]i32, k) = (xs, ys, 0) while k < 20 do
    let (r, t) = loop (r: [n]i32, t) = (a, k) while t < k + 3 do (map (+ t) r, t + 1)
    in (b, r, t)

entry mapped [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  map2 (\x y ->
    let (a, b) =
      loop (a, b) = (replicate 6 x, iota 6 |> map i32.i64 |> map (+ y)) for _i < 3i32 do
        let t = loop t = a for _j < 2i32 do map2 (\x y -> x * 3 + y) t b
        in (b, t)
    in a[2] + b[3]) xs ys
