-- Spearman's and Kendall's correlations of neighbouring rows: ranks by counting, ties shared.
def ranks [n] (xs: [n]i32) : [n]f32 =
  map (\x ->
         let (less, same) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0i32, 0i32)
                                   (map (\y -> (i32.bool (y < x), i32.bool (y == x))) xs)
         in f32.i32 less + 0.5 * f32.i32 (same - 1)) xs

def pearson [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  let mean = f32.i64 (n - 1) / 2
  let (xy, xx, yy) =
    reduce_comm (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
                (map2 (\x y -> let (u, v) = ((x - mean) / mean, (y - mean) / mean)
                               in (u * v, u * u, v * v)) xs ys)
  in xy / (f32.sqrt (xx * yy) + 1e-6)

def kendall [n] (xs: [n]f32) (ys: [n]f32) : i32 =
  i32.sum (map (\i -> i32.sum (map (\j -> i32.f32 (f32.sgn (xs[i] - xs[j])) * i32.f32 (f32.sgn (ys[i] - ys[j]))) (iota n)))
               (iota n)) / 2

entry main [m] [n] (rows: [m][n]i32) : ([m][n]f32, [m]f32, [m]i32) =
  -- few distinct values in the odd rows
  let data = map2 (\i r -> if i % 2 == 1 then map (\x -> (x & 0xffff) % 23) r else r) (iota m) rows
  let rk = map ranks data
  let next i = rk[if i + 1 == m then 0 else i + 1]
  let rho = map (\i -> pearson rk[i] (next i)) (iota m)
  let tau = map (\i -> kendall rk[i] (next i)) (iota m)
  in (rk, rho, tau)
