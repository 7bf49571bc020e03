-- Histograms of what loops find.
entry owners [n] [k] [d] (xs: [n][d]f32) (centres: [k][d]f32) : ([k][d]f32, [k]i32) =
  let far xs ys = f32.sum (map2 (\x y -> (x - y) * (x - y)) xs ys)
  let of_row x = (reduce (\(i, a) (j, b) -> if a < b || (a == b && i < j) then (i, a) else (j, b)) (0, f32.inf)
                         (zip (iota k) (map (far x) centres))).0
  let of_rows = map of_row xs
  in (reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) of_rows xs, reduce_by_index (replicate k 0) (+) 0 of_rows (map (const 1) xs))
-- These take no elements that others have, and are found where they count.
entry steps [n] (xs: [n]i32) : [64]i32 =
  let collatz x = (loop (x, s) = (i32.abs x % 1000 + 1, 0i64) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, s + 1)).1
  in reduce_by_index (replicate 64 0) (+) 0 (map (\x -> collatz x % 64) xs) (map (const 1) xs)
