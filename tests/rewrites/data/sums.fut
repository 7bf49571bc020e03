-- Each entry point is one seg op, whose points need one or more sums. tests/rewrites/lower/sums_test.cpp says into which
-- seg ops they are distributed.

entry one [n][m] (x: [n][m]i32) : [n]i32 = map (\r -> #[sequential] i32.sum r) x

entry one_and_more [n][m] (x: [n][m]i32) : [n]i32 = map (\r -> 2 + #[sequential] i32.sum r) x

entry two_added [n][m] (x: [n][m]i32) (y: [n][m]i32) : [n]i32 =
  map2 (\r s -> #[sequential] i32.sum r * 3 + #[sequential] i32.sum s) x y

entry three_added [n][m] (x: [n][m]i32) (y: [n][m]i32) : ([n]i32, [n]i32, [n]i32) =
  unzip3 (map2 (\r s -> #[sequential] reduce (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
                          (map2 (\v w -> (v * w, v - w, w)) r s)) x y)

entry nested [n][m] (x: [n][m]i32) (y: [n][m]i32) : ([n]i32, [n]i32) =
  unzip (map2 (\r s ->
    #[sequential] reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\v ->
      #[sequential] reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\w -> (v * w, v - w)) s)) r)) x y)

entry sum_and_sign [n][m] (x: [n][m]i32) : ([n]i32, [n]bool) =
  unzip (map (\r -> let s = #[sequential] i32.sum r in (s, s > 0)) x)

entry pairs [n][m] (x: [n][m]i32) : ([n]i32, [n]i32) =
  unzip (map (\r -> #[sequential] reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (map (\v -> (v, v + 1)) r)) x)

entry loops [n][m] (x: [n][m]i32) : [n]i32 =
  map (\r -> let (s, p) = loop (s, p) = (0, 1) for i < m do
               loop (s, p) for j < m do (s + r[i] * r[j], p * (r[i] - r[j]))
             in s - p) x

-- The second sum needs the first.
entry variance [n][m] (x: [n][m]i32) : [n]i32 =
  map (\r -> let s = #[sequential] i32.sum r in #[sequential] i32.sum (map (\v -> (v - s) * (v - s)) r)) x

-- Values that need each other.
entry largest [n][m] (x: [n][m]i32) : ([n]i32, [n]i64) =
  unzip (map (\r -> #[sequential] reduce (\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (i32.lowest, -1) (zip r (iota m))) x)

entry fibonacci [n] (x: [n]i32) : [n]i32 = map (\v -> (loop (a, b) = (0, v) for _i < 10 do (b, a + b)).0) x

-- Only a check depends on the index that is computed.
entry checked [n][m] (x: [n][m]i32) (k: i64) : ([n]i32, [n]i32) =
  unzip (map (\r -> let v = r[k] in (#[sequential] i32.sum r + v, #[sequential] i32.product r)) x)
