-- Non-negative matrix factorisation by Lee and Seung's multiplicative updates, starting from hashed factors; Frobenius residual at the end.
module mat = {
  def dot [n] (a: [n]f32) (b: [n]f32) = reduce (+) 0 (map2 (*) a b)
  def mul [n][k][m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 = map (\r -> map (dot r) (transpose b)) a
  def scale [n][m] (x: [n][m]f32) (num: [n][m]f32) (den: [n][m]f32) : [n][m]f32 =
    map3 (map3 (\a p q -> a * p / (q + 1e-6))) x num den
}
def noise (s: u32) (i: i64) (j: i64) : f32 =
  let h = (u32.i64 i * 0x9E3779B1) ^ (u32.i64 j * 0x85EBCA77) ^ s
  let h = (h ^ (h >> 15)) * 0x2C1B3C6D
  in 0.1 + f32.u32 (h >> 9) / 8388608

entry main [n][m] (rank: i64) (iters: i32) (v: [n][m]f32) : ([n][rank]f32, [rank][m]f32, f32) =
  let v = tabulate_2d n m (\i j -> v[i, j] * (1.5 + f32.cos (f32.i64 i * 0.1) * f32.sin (f32.i64 j * 0.07)))
  let start = (tabulate_2d n rank (noise 1), tabulate_2d rank m (noise 77))
  let (w, h) =
    loop (w, h) = start for _i < iters do
      let wt = transpose w
      let h = mat.scale h (mat.mul wt v) (mat.mul (mat.mul wt w) h)
      let ht = transpose h
      let w = mat.scale w (mat.mul v ht) (mat.mul w (mat.mul h ht))
      in (w, h)
  let res = map2 (map2 (-)) v (mat.mul w h)
  in (w, h, f32.sqrt (f32.sum (map (\r -> mat.dot r r) res)))
