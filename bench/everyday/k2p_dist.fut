-- Kimura two-parameter distances between all pairs of aligned sequences, transitions and transversions apart.
entry main [n] [l] (ancestor: [l]u8) (noise: [n][l]u8) : ([n][n]f32, [n]i64) =
  let seqs = map (map2 (\a e -> if e < 20 then (a + e) & 3 else a & 3) ancestor) noise
  let pair a b =
    let (ts, tv) =
      map2 (\x y -> let d = x ^ y in (i32.bool (d == 2), i32.bool (d & 1 == 1))) a b
      |> reduce_comm (\(p, q) (r, s) -> (p + r, q + s)) (0, 0)
    let p = f32.i32 ts / f32.i64 l
    let q = f32.i32 tv / f32.i64 l
    in -0.5 * f32.log (f32.max 0.05 (1 - 2 * p - q)) - 0.25 * f32.log (f32.max 0.05 (1 - 2 * q))
  let alike a b = i64.sum (map2 (\x y -> i64.bool (x == y)) a b)
  in (map (\a -> map (pair a) seqs) seqs, map (alike (map (& 3) ancestor)) seqs)
