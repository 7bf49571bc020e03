-- Reductions of whole arrays and of segments, short and long, with operators that are commutative or not; scans and histograms of whole arrays.
entry make_f32 (n: i64) : [n]f32 = map (\i -> f32.i64 ((i * 7919) % 1000) / 1000 - 0.5) (iota n)
entry make_i32 (n: i64) : [n]i32 = map (\i -> i32.i64 ((i * 7919) % 1000)) (iota n)
def below (n: i64) (k: u32) : [n]i32 = map (\i -> i32.u32 (((u32.i64 i * 2654435761) >> 8) % k)) (iota n)
entry make_below_10 (n: i64) : [n]i32 = below n 10
entry make_below_256 (n: i64) : [n]i32 = below n 256
entry make_below_1000 (n: i64) : [n]i32 = below n 1000
entry make_below_100000 (n: i64) : [n]i32 = below n 100000
entry make2_f32 (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 31 + j * 7919) % 1000) / 1000 - 0.5)

entry sum_f32 [n] (xs: [n]f32) : f32 = f32.sum xs
entry sum_i32 [n] (xs: [n]i32) : i32 = i32.sum xs
entry min_f32 [n] (xs: [n]f32) : f32 = f32.minimum xs
entry dot_f32 [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)
entry scan_f32 [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs
entry scan_i32 [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
def count [n] (k: i64) (xs: [n]i32) : [k]i32 = hist (+) 0 k (map i64.i32 xs) (map (const 1) xs)
entry count_10 [n] (xs: [n]i32) : [10]i32 = count 10 xs
entry count_256 [n] (xs: [n]i32) : [256]i32 = count 256 xs
entry count_1000 [n] (xs: [n]i32) : [1000]i32 = count 1000 xs
entry count_100000 [n] (xs: [n]i32) : [100000]i32 = count 100000 xs
entry argmax [n] (xs: [n]f32) : (f32, i64) =
  reduce_comm (\(a, i) (b, j) -> if a > b then (a, i) else if b > a then (b, j) else (a, i64.min i j)) (f32.lowest, i64.highest) (zip xs (iota n))
entry mss [n] (xs: [n]i32) : i32 =
  let op (a, b, c, d) (e, f, g, h) = (i32.max a (i32.max e (c + f)), i32.max b (d + f), i32.max g (h + c), d + h)
  let (r, _, _, _) = reduce op (0, 0, 0, 0) (map (\x -> let y = i32.max (x - 500) 0 in (y, y, y, x - 500)) xs)
  in r
entry mat2 [n] (xs: [n]i32) : i32 =
  let op (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h)
  let (a, b, c, d) = reduce op (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) xs)
  in a ^ b ^ c ^ d
entry mat4 [n] (xs: [n]i32) : i32 =
  let row (a, b, c, d) ((e, f, g, h), (i, j, k, l), (m, n, o, p), (q, r, s, t)) : (i32, i32, i32, i32) =
    (a*e + b*i + c*m + d*q, a*f + b*j + c*n + d*r, a*g + b*k + c*o + d*s, a*h + b*l + c*p + d*t)
  let op (a, b, c, d) m = (row a m, row b m, row c m, row d m)
  let one = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
  let ((a, b, _, _), (c, d, _, _), _, (_, _, e, f)) = reduce op one (map (\x -> ((x, 1, 1, 0), (1, x - 3, 0, 2), (0, 1, x, 1), (3, 0, 1, 1))) xs)
  in a ^ b ^ c ^ d ^ e ^ f
entry rows_f32 [n][m] (xs: [n][m]f32) : [n]f32 = map f32.sum xs
entry rows_max [n][m] (xs: [n][m]f32) : [n]f32 = map f32.maximum xs
entry rows_mss [n][m] (xs: [n][m]f32) : [n]i32 =
  let op (a, b, c, d) (e, f, g, h) = (i32.max a (i32.max e (c + f)), i32.max b (d + f), i32.max g (h + c), d + h)
  in map (\r -> let (r, _, _, _) = reduce op (0, 0, 0, 0) (map (\x -> let k = i32.f32 (x * 1000) let y = i32.max k 0 in (y, y, y, k)) r) in r) xs
entry mean_var [n] (xs: [n]f32) : (f32, f32) =
  let s = f32.sum xs / f32.i64 n
  in (s, f32.sum (map (\x -> (x - s) * (x - s)) xs))
