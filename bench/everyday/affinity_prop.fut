-- Affinity propagation clustering: damped responsibilities (best and second best per row) and availabilities (column sums) on all pairs.
def top2 [n] (xs: [n]f32) : (f32, i64, f32) =
  reduce (\(a, i, b) (c, j, d) -> if c > a then (c, j, f32.max a d) else (a, i, f32.max b c))
         (-1e30, -1, -1e30) (map2 (\x i -> (x, i, -1e30)) xs (iota n))

entry main [n] (iters: i32) (damp: f32) (px: [n]f32) (py: [n]f32) : ([n]f32, [n]f32) =
  let lam = 0.5 + 0.4 * damp
  let s = tabulate_2d n n (\i j ->
    if i == j then -0.05 else 0 - (px[i] - px[j]) ** 2 - (py[i] - py[j]) ** 2)
  let zero = replicate n (replicate n 0f32)
  let mix = map2 (map2 (\old new -> lam * old + (1 - lam) * new))
  let (r, a) =
    loop (r, a) = (zero, zero) for _k < iters do
      let as = map2 (map2 (+)) a s
      let tops = map top2 as
      let r = mix r (tabulate_2d n n (\i k -> let (b, at, b2) = tops[i] in s[i, k] - (if k == at then b2 else b)))
      let pos = map (map (f32.max 0)) r
      let col = map f32.sum (transpose pos)
      let self k = col[k] - pos[k, k]
      in (r, mix a (tabulate_2d n n (\i k ->
            if i == k then self k else f32.min 0 (r[k, k] + self k - pos[i, k]))))
  in (tabulate n (\i -> r[i, i] + a[i, i]), map2 (\x y -> f32.maximum (map2 (+) x y)) r a)
