-- Dimensions that the host's compiler makes one, and whose places it finds again by dividing.
entry channels [n][c][h][w] (x: [n][c][h][w]i32) : [c]i32 =
  map (\k -> i32.sum (flatten_3d (map (\i -> x[i, k]) (iota n)))) (iota c)
entry rows [n][h][w] (x: [n][h][w]i32) : [n]i32 =
  map (\a -> i32.sum (map2 (\v i -> v * (i32.i64 i + 3)) (flatten (transpose a)) (iota (w * h)))) x
entry joined [h][w] (k: i64) (x: [h][w]i32) : []i32 =
  let flat = flatten x
  in map (\t -> flat[t % (h * w)] + flat[t / (w + 1)]) (iota k)
entry narrow [n] (s: i32) (x: [n]i32) : []i32 =
  let m = i64.i32 s
  in tabulate n (\t -> if m > 0 then x[(t / m) % n] + i32.i64 (t % m) else x[t])
-- Numbers that are data: products of their quotients and remainders wrap around.
entry data [n] (xs: [n]i64) : [n]i64 =
  map (\x -> let q = i64.max 0 x // 3 in (q * 1000) // 1000 + (x // n)) xs
entry hashes [n] (xs: [n]i64) : [n]i64 =
  map (\x -> let r = i64.max 0 x % 1000000000000000003 in (r * 31) / n + (r * 31) %% n) xs
entry stamps [n] (xs: [n]i64) : [n]i64 = map (\x -> let us = i64.max 0 x / 1000 let fp = us * 65536 in fp // n) xs
-- Quotients and remainders that sizes decide, which are not the same.
entry around [h] (x: [h]i32) : [h]i32 =
  tabulate h (\y -> x[(y + h) % h] + 3 * x[(y + 1 + h) % h] - x[(y - 1 + h) % h] + i32.i64 ((y + 2 * h) / h) + 7 * i32.i64 ((y + 3 * h) % h) - i32.i64 (y / h))
