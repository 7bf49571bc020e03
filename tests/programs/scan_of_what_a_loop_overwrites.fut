-- A reduction in a host loop of what a scan's points computed of an array that the loop overwrites.
-- ==
-- input { [3i64, 1i64, 4i64, 1i64, 5i64] 4i64 } auto output
-- input { [7i64, 2i64] 1i64 } auto output

entry main [n] (a: *[n]i64) (k: i64) : ([n]i64, [n]i64) =
  let q = map (\x -> x * x + 1) a
  let s = scan (+) 0 q
  let b = loop b = a for i < k do
    let m = #[unsafe] b[0]
    let r = reduce (+) 0 (map (\x -> x * m) q)
    in #[unsafe] b with [i] = r % 1000
  in (b, s)
