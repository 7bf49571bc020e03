-- Maps of what a scan yields, at the same point or one before, as part of the scan's kernel: of whole arrays and of rows, with other readers of the
-- scan and without, in place, and where something between does not let them.
-- ==
-- entry: own kept_besides of_two_operators with_flags mapped_besides exclusive differences gathers after_another branches narrow
-- compiled random input { [0]i32 [0]i32 } auto output
-- compiled random input { [1]i32 [1]i32 } auto output
-- compiled random input { [300]i32 [300]i32 } auto output
-- compiled random input { [4864]i32 [4864]i32 } auto output
-- compiled random input { [30011]i32 [30011]i32 } auto output

-- ==
-- entry: in_place over_what_is_read with_last twice filtered changed_between changed_in_loop crosswise changed_after scan_of_flags reduced_with
-- compiled random input { [0]i32 [0]i32 } auto output
-- compiled random input { [1]i32 [1]i32 } auto output
-- compiled random input { [9730]i32 [9730]i32 } auto output

-- ==
-- entry: of_rows exclusive_in_rows looked_through at_own_points
-- compiled random input { [3][0]i32 } auto output
-- compiled random input { [7][1]i32 } auto output
-- compiled random input { [300][17]i32 } auto output
-- compiled random input { [2][7001]i32 } auto output
-- compiled random input { [1][4864]i32 } auto output

-- ==
-- entry: checked
-- compiled input { [1, 2, 3] [10, 20, 30, 40, 50, 60, 70] } output { [20, 40, 70] }
-- compiled input { [1, 2, 3] [10, 20, 30, 40, 50, 60] } error: out of bounds

def sums [n] (xs: [n]i32) = scan (+) 0 xs

entry own [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (\s y -> s * 3 ^ y) (sums xs) ys

entry kept_besides [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, i32) =
  let s = sums xs
  in (s, map2 (+) s ys, if n == 0 then 0 else s[n / 2])

entry of_two_operators [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  map2 (\s m -> s - m) (sums xs) (scan i32.max i32.lowest ys)

entry with_flags [n] (xs: [n]i32) (ys: [n]i32) : [n]i64 =
  let flags = map (\y -> y % 5 == 0) ys
  let (_, s) = unzip (scan (\(f, a) (g, b) -> (f || g, if g then b else a + b)) (false, 0) (zip flags (map i64.i32 xs)))
  in map2 (\a x -> a - i64.i32 x) s xs

entry mapped_besides [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  let evens = map (\x -> i32.bool (x % 2 == 0)) xs
  let offsets = scan (+) 0 evens
  in unzip (map3 (\e o y -> if e == 1 then (o - 1, y) else (-1, o)) evens offsets ys)

entry exclusive [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  let s = sums xs
  in map2 (\i y -> (if i == 0 then 7 else s[i - 1]) ^ y) (iota n) ys

entry differences [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]bool) =
  let s = scan i32.max i32.lowest xs
  in unzip (map (\i -> (ys[i] - s[i], i == 0 || s[i] != s[i - 1])) (iota n))

entry gathers [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  map (\s -> let i = i64.i32 s % i64.max 1 n in ys[i]) (sums xs)

entry after_another [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  let s = sums xs
  let (k, _) = reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (i32.lowest, -1) (zip ys (iota n))
  let h = hist (+) 0 16 (map (\y -> i64.i32 y % 16) ys) xs
  in map (\a -> a ^ k ^ h[i64.i32 a % 16]) s

entry branches [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  let s = sums xs
  in map (\i -> if ys[i] % 3 == 0 then s[i] else if i > 0 && ys[i] % 3 == 1 then s[i - 1] + 1 else ys[i]) (iota n)

entry narrow [n] (xs: [n]i32) (ys: [n]i32) : [n]u8 =
  let s = scan (+) 0u8 (map u8.i32 xs)
  in map2 (\a y -> a ^ u8.i32 (y >> 8)) s ys

entry in_place [n] (xs: [n]i32) (ys: [n]i32) : *[n]i32 =
  let s = sums (map (\x -> x & 1) xs)
  let is = map2 (\a y -> if y % 2 == 0 then i64.i32 a - 1 else -1) s (map (+ 1) xs)
  in scatter (copy ys) is (map2 (\a y -> a - y) s ys)

-- What the scan reads is what the map overwrites.
entry over_what_is_read [n] (xs: [n]i32) (ys: [n]i32) : *[n]i32 =
  let zs = map2 (^) xs ys
  let s = sums zs
  in scatter (copy zs) (map (\i -> n - 1 - i) (iota n)) (map2 (\a y -> a + y) s ys)

entry with_last [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  let s = sums xs
  let last = if n == 0 then 0 else s[n - 1]
  in map2 (\a y -> (last - a) ^ y) s ys

entry twice [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  let s = sums xs
  let t = sums (map2 (^) s ys)
  in (map2 (-) t xs, map2 (-) s ys)

entry of_rows [n][m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> map2 (\s x -> s * 2 - x) (sums xs) xs) xss

entry exclusive_in_rows [n][m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> let s = sums xs in map2 (\j x -> if j == 0 then x else s[j - 1] ^ x) (iota m) xs) xss

-- What the scanned elements are made of is computed again, unless it has changed.
entry filtered [n] (xs: [n]i32) (ys: [n]i32) : ([]i32, []i32) =
  (filter (\x -> x % 3 == 0) xs, (partition (\y -> y < 0) ys).1)

entry changed_between [n] (zs: *[n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  let odd = map (\z -> z & 1) zs
  let offsets = sums odd
  let zs = if n == 0 then zs else zs with [n / 2] = 4
  in unzip (map4 (\o s z y -> (o * y - z, s)) odd offsets zs ys)

entry changed_in_loop [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  loop zs = copy xs for _i < 3i32 do
    let odd = map (\z -> z & 1) zs
    let offsets = sums odd
    let last = if n == 0 then 0 else offsets[n - 1]
    let zs = if n == 0 then zs else zs with [n / 2] = last
    in map4 (\o s z y -> o * last + s - z ^ y) odd offsets zs ys

-- Maps of two scans, each of which reads an element of the other, and a map that a contraction looks through.
entry crosswise [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  let s = sums xs
  let t = scan i32.max i32.lowest ys
  let a = map (+ (if n == 0 then 1 else t[0])) s
  in (a, map (^ (if n == 0 then 2 else s[n / 2])) t)

entry changed_after [n] (zs: *[n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  let odd = map (& 1) zs
  let m = map3 (\o s y -> o * s + y) odd (sums odd) ys
  in (m, if n == 0 then zs else zs with [n / 2] = 4)

entry scan_of_flags [n] (zs: *[n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  let odd = map (& 1) zs
  let offsets = sums odd
  let l = if n == 0 then 0 else offsets[n / 3]
  let t = scan i32.max i32.lowest (map2 (\o y -> y * l ^ o) odd ys)
  let m = map2 (^) t ys
  in (offsets, m, if n == 0 then zs else zs with [n / 2] = 4)

entry looked_through [n][m] (xss: [n][m]i32) : [n][n]i32 =
  let ss = map sums xss
  let e = tabulate_2d n m (\i j -> if j == 0 then 0 else ss[i, j - 1])
  in tabulate_2d n n (\i j -> #[sequential] i32.sum (map (\l -> e[i, l] * xss[j, l]) (iota m)))

entry at_own_points [n][m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> scatter (map (+ 1) xs) (iota m) (map (* 3) (sums xs))) xss

-- A reduction of what a stage computes and of the scan.
entry reduced_with [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, i32) =
  let b = tabulate n (\i -> ys[i64.max 0 (i - 1)] * 3 - ys[i64.min (n - 1) (i + 1)])
  let s = sums xs
  let m = map2 (^) s ys
  in (m, b, i32.sum (map2 (*) b s))

entry checked [n][k] (xs: [n]i32) (table: [k]i32) : [n]i32 = map (\s -> table[i64.i32 s]) (sums xs)
