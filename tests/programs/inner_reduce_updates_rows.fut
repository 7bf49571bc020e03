-- Rows that a thread reduces to are updated element by element, unless the operator reads more of them than that.

-- ==
-- entry: pairs
-- compiled random input { [17][5][3]i32 } auto output
-- input { [[[1, 2], [3, 4]]] } output { [[-5, -7]] [[10, 22]] }

-- ==
-- entry: cyclic_products changed_places
-- compiled random input { [17][5][3]i32 } auto output

-- ==
-- entry: all_together
-- compiled random input { [500][4]f32 } auto output

entry pairs [n] [m] [k] (xs: [n][m][k]i32) : ([n][k]i32, [n][k]i32) =
  let product (a, b) (c, d) = unzip (map4 (\a b c d -> (a * c - b * d, a * d + b * c)) a b c d)
  let row r = (r, map (+ 1) r)
  in unzip (#[sequential_inner] map (\rows -> reduce product (replicate k 1, replicate k 0) (map row rows)) xs)

entry cyclic_products [n] [m] [k] (xs: [n][m][k]i32) : [n][k]i32 =
  let product a b = tabulate k (\i -> i32.sum (tabulate k (\j -> a[j] * b[(i - j + k) % k])))
  let one = tabulate k (\i -> i32.bool (i == 0))
  in #[sequential_inner] map (\rows -> reduce product one rows) xs

-- The elements of two rows change places each time.
entry changed_places [n] [m] [k] (xs: [n][m][k]i32) : ([n][k]i32, [n][k]i32) =
  let swap (a, b, odd) (c, d, other) =
    let (c, d) = if odd then (d, c) else (c, d)
    in (map2 (+) a c, map2 (+) b d, odd != other)
  let pairs rows = reduce swap (replicate k 0, replicate k 0, false) (map (\r -> (r, map (* 3) r, r[0] % 2 == 1)) rows)
  in unzip (#[sequential_inner] map (\rows -> let (a, b, _) = pairs rows in (a, b)) xs)

entry all_together [n] [k] (xs: [n][k]f32) : ([k]f64, [k]f64) =
  let point r = (map f64.f32 r, map (\x -> f64.f32 (x * x)) r)
  in reduce_comm (\(a, b) (c, d) -> (map2 f64.max a c, map2 f64.min b d)) (replicate k (-f64.inf), replicate k f64.inf) (map point xs)
