-- Many small kernels and host operations after one another.
-- ==
-- input { [3, 1, 2] } output { [3, 10, 0, 15, 5] }
-- compiled random input { [101]i32 } auto output

entry main [n] (xs: [n]i32) : []i32 =
  let a = map (+ 1) xs
  let b = rotate 1 a
  let c = map2 (*) a b
  let d = c ++ reverse b
  let e = map (\i -> d[i * 7 % (2 * n)]) (iota (2 * n))
  let f = e[::2] :> [n]i32
  let g = map2 (-) f a
  let h = copy g with [0] = n |> i32.i64
  in h ++ map (^ 5) (drop 1 h)
