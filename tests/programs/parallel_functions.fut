-- Functions that are not inlined and have parallel operations of their own, which a point of another parallel operation calls: each thread does all of it.
-- ==
-- entry: main
-- compiled random input { [0][5]f64 } auto output
-- compiled random input { [3][5]f64 } auto output
-- compiled random input { [100][17]f64 } auto output

-- ==
-- entry: counted
-- compiled random input { [3][5]i32 } auto output
-- compiled random input { [33][40]i32 } auto output

#[noinline]
def polynomial (x: f64) : f64 =
  let cs = [1.5, -0.25, 3.0, 0.125]
  let powers = map (\i -> x ** f64.i64 i) (iota 4)
  in f64.sum (map2 (*) cs powers) / f64.maximum (map f64.abs powers)

entry main [n][m] (xss: [n][m]f64) : ([n]f64, [n][m]f64) =
  let each xs = (polynomial xs[0] * f64.sum (map polynomial xs), map (polynomial >-> f64.sqrt >-> polynomial) (map f64.abs xs))
  in unzip (map each xss)

#[noinline]
def histogram [m] (xs: [m]i32) : [4]i32 = reduce_by_index (replicate 4 0) (+) 0 (map (\x -> i64.i32 x % 4) xs) (scan (+) 0 xs)

entry counted [n][m] (xss: [n][m]i32) : [n]i32 =
  map (\xs -> let h = histogram xs let g = histogram (map (* 3) xs) in i32.sum (map2 (*) h g)) xss
