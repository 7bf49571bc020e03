-- Reductions of what a scan yields, at the same point or one before, as part of the scan's kernel: with other readers of the scan and without, with
-- results at each point besides, and where they have to stay apart.
-- ==
-- entry: drawdown several kept longest_run first_best returned_besides steps of_maps twice reduced_by_row of_what_is_scanned
-- compiled random input { [0]i32 [0]i32 } auto output
-- compiled random input { [1]i32 [1]i32 } auto output
-- compiled random input { [4864]i32 [4864]i32 } auto output
-- compiled random input { [30011]i32 [30011]i32 } auto output

-- ==
-- entry: in_order needs_last
-- compiled random input { [1]i32 [1]i32 } auto output
-- compiled random input { [9730]i32 [9730]i32 } auto output

-- ==
-- entry: checked
-- compiled input { [1, 2, 3] [10, 20, 30, 40, 50, 60, 70] } output { 130 }
-- compiled input { [1, 2, 3] [10, 20, 30, 40, 50, 60] } error: out of bounds

def sums [n] (xs: [n]i32) = scan (+) 0 xs

entry drawdown [n] (xs: [n]i32) (_ys: [n]i32) : i32 =
  let prices = map (% 1000) xs
  in i32.maximum (map2 (-) (scan i32.max i32.lowest prices) prices)

entry several [n] (xs: [n]i32) (ys: [n]i32) : (i32, i64, i32) =
  let s = sums xs
  in (i32.maximum (map2 (^) s ys), i64.sum (map i64.i32 s), i32.minimum s)

entry kept [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, i32, i32) =
  let s = sums xs
  in (s, i32.sum (map2 (&) s ys), if n == 0 then 0 else s[n / 2])

-- The operator's flags begin the runs anew.
entry longest_run [n] (xs: [n]i32) (_ys: [n]i32) : i64 =
  let begins = map (\i -> i == 0 || xs[i] % 2 != xs[i - 1] % 2) (iota n)
  let op (f, a) (g, b) = (f || g, if g then b else a + b)
  let (_, runs) = unzip (scan op (false, 0i64) (map (\b -> (b, 1i64)) begins))
  in i64.maximum runs

entry first_best [n] (xs: [n]i32) (_ys: [n]i32) : (i32, i64) =
  let better (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in reduce_comm better (i32.lowest, i64.highest) (zip (sums xs) (iota n))

entry returned_besides [n] (xs: [n]i32) (ys: [n]i32) : (i32, [n]i32, [n]bool) =
  let s = sums xs
  let d = map2 (-) s ys
  in (i32.maximum d, d, map (> 0) d)

entry steps [n] (xs: [n]i32) (ys: [n]i32) : i32 =
  let s = scan i32.max i32.lowest xs
  in i32.sum (map (\i -> if i > 0 && s[i] != s[i - 1] then ys[i] else 0) (iota n))

entry of_maps [n] (xs: [n]i32) (ys: [n]i32) : (i32, [n]i32) =
  let s = sums xs
  let m = map2 (*) s ys
  let r = i32.sum (map2 (^) s xs)
  in (r, map (+ r) m)

entry twice [n] (xs: [n]i32) (ys: [n]i32) : (i32, i32) =
  let s = sums xs
  let r = i32.maximum (map2 (-) s ys)
  let t = sums (map2 (\a y -> a ^ y ^ r) s ys)
  in (r, i32.sum (map2 (*) t s))

-- Elements that are scanned and reduced: nothing is read of the scan itself.
entry of_what_is_scanned [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, i32) =
  let zs = map2 (\x y -> x * (y ^ 5)) xs ys
  in (sums zs, i32.maximum zs)

-- One row among others.
entry reduced_by_row [n] (xs: [n]i32) (ys: [n]i32) : [2]i32 =
  map (\r -> i32.maximum (map2 (-) (sums r) xs)) [xs, ys]

-- An operator for which the order counts, and points that need the scan's end.
entry in_order [n] (xs: [n]i32) (ys: [n]i32) : (i32, i32) =
  let op (a, b) (c, d) = (a * c, b * c + d)
  in reduce op (1, 0) (zip (sums xs) ys)

entry needs_last [n] (xs: [n]i32) (ys: [n]i32) : i32 =
  let s = sums xs
  let last = s[n - 1]
  in i32.sum (map2 (\a y -> (last - a) ^ y) s ys)

entry checked [n][m] (xs: [n]i32) (ys: [m]i32) : i32 = i32.sum (map (\s -> ys[s]) (sums xs))
