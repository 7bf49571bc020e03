-- Values that the compiler must not look into, scalars and arrays, on the host and in threads.
-- ==
-- input { 3 [1, 2] } output { [11, 13] }
-- input { 3 empty([0]i32) } output { empty([0]i32) }

entry main (x: i32) (xs: []i32) : []i32 =
  let y = opaque (x + 1)
  let ys = opaque (map (+ y) xs)
  in map (\z -> #[opaque] (z * 2) + 1) ys
