-- Scans and reductions of the same elements, and what becomes of their results: read, returned, updated, looked at by windows, carried by loops.
-- ==
-- entry: read returned updated windows carried reduced
-- random input { [1]i64 [1]bool } auto output
-- random input { [1000]i64 [1000]bool } auto output
def op (a: i64, e: i64, f) (b, d, g) = (if g then b else a + b, if g then d else e + d, f || g)
def fused [n] (xs: [n]i64) (fs: [n]bool) = unzip3 (scan op (0, 0, false) (map2 (\x f -> (x % 100, x % 100, f)) xs fs))

entry read [n] (xs: [n]i64) (fs: [n]bool) =
  let (a, b, c) = fused xs fs
  in map3 (\x y z -> if z then x * 3 else x - 2 * y) a b c

entry returned [n] (xs: [n]i64) (fs: [n]bool) =
  let (a, b, _) = fused xs fs
  in (a, b)

entry updated [n] (xs: [n]i64) (fs: [n]bool) =
  let (a, b, _) = fused xs fs
  let b' = copy b with [n / 2] = 17
  let a' = scatter (copy a) (map (% n) (map i64.abs xs)) (map (const 5) xs)
  in (map2 (+) a' b', map2 (-) a b)

entry windows [n] (xs: [n]i64) (fs: [n]bool) =
  let (a, b, _) = fused xs fs
  let a = copy a with [0] = 7
  in (a[n / 3:], reverse b)

entry carried [n] (xs: [n]i64) (fs: [n]bool) =
  let (a, b, _) = fused xs fs
  in loop (a, b) = (copy a, copy b) for i < 3 do (map2 (+) a b, map (+ i) b)

entry reduced [n] (xs: [n]i64) (fs: [n]bool) =
  let (a, b, c) = reduce op (0, 0, false) (map2 (\x f -> (x % 100, x % 100, f)) xs fs)
  let ys = map (\x -> (x % 7, x % 7, x)) xs
  let (p, q, r) = unzip3 ys
  in (a + b, c, map2 (*) p q, r, map (reduce (\x y -> x + y) 0) [p, q, r])
