-- Thousands of short histograms, of numbers and of rows, with bins that do not exist; and one less than are worth a thread each.
-- ==
-- entry: sums counts rows
-- input { 4096i64 } output { true }
-- input { 4095i64 } output { true }
-- input { 5000i64 } output { true }

def bin (s: i64) (i: i64) : i64 = (s * 7 + i * i) % 9 - 1
def from_loop (s: i64) (value: i64 -> i64) : [7]i64 =
  loop h = replicate 7 0 for i < 24 do (let b = bin s i in if 0 <= b && b < 7 then h with [b] = h[b] + value i else h)

entry sums (n: i64) : bool =
  let hs = tabulate n (\s -> hist (+) 0 7 (map (bin s) (iota 24)) (iota 24))
  let expected = tabulate n (\s -> from_loop s (\i -> i))
  in and (map2 (\a b -> and (map2 (==) a b)) hs expected)

entry counts (n: i64) : bool =
  let hs = tabulate_2d (n / 3) 3 (\s t -> (hist (+) 0i32 7 (map (bin (s * 3 + t)) (iota 24)) (replicate 24 1),
                                             hist i64.max i64.lowest 7 (map (bin (s * 3 + t)) (iota 24)) (iota 24)))
  let expected = tabulate_2d (n / 3) 3 (\s t -> from_loop (s * 3 + t) (const 1))
  in and (map2 (\as bs -> and (map2 (\(a, m) b -> and (map3 (\x y z -> x == i32.i64 y && (x == 0) == (z == i64.lowest)) a b m)) as bs)) hs expected)

entry rows (n: i64) : bool =
  let hs = tabulate n (\s -> hist (map2 (+)) [0, 0] 7 (map (bin s) (iota 24)) (map (\i -> [i, 1]) (iota 24)))
  let expected = tabulate n (\s -> map2 (\a b -> [a, b]) (from_loop s (\i -> i)) (from_loop s (const 1)))
  in and (map2 (\a b -> and (map2 (\x y -> x[0] == y[0] && x[1] == y[1]) a b)) hs expected)
