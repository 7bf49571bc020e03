-- All pairwise contingency tables of categorical columns, with chi-square and Cramer's V for each pair.
def k : i64 = 6

def table [n] (a: [n]i64) (b: [n]i64) : [k][k]i32 =
  unflatten (hist (+) 0 (k * k) (map2 (\x y -> x * k + y) a b) (replicate n 1i32))

def chi2 (t: [k][k]i32) : f32 =
  let rs = map i32.sum t
  let cs = map i32.sum (transpose t)
  let tot = f32.i32 (i32.sum rs)
  in f32.sum (flatten (map2 (\row r -> map2 (\o c ->
       let e = f32.i32 r * f32.i32 c / tot
       in if e > 0 then (f32.i32 o - e) ** 2 / e else 0) row cs) t rs))

entry main [n][m] (codes: [n][m]u8) : ([m][m]f32, f32) =
  let cols = map (map (\c -> i64.u8 (c ^ (c >> 3)) % k)) (transpose codes)
  let v = tabulate_2d m m (\i j ->
    let x = chi2 (table cols[i] cols[j])
    in f32.sqrt (f32.max 0 x / (f32.i64 n * f32.i64 (k - 1))))
  let off = f32.maximum (flatten (map2 (\i r -> map2 (\j x -> if i == j then 0 else x) (iota m) r) (iota m) v))
  in (v, off)
