-- Soft-margin triplet loss of embeddings through a linear map; directional derivatives along many directions by jvp.
def embed [k][m] (w: [m][k]f32) (x: [k]f32) : [m]f32 =
  let y = map (\r -> reduce (+) 0 (map2 (*) r x)) w
  let n = f32.sqrt (reduce (+) 1e-6 (map (\v -> v * v) y))
  in map (/ n) y

def sqdist [m] (a: [m]f32) (b: [m]f32) = reduce (+) 0 (map2 (\x y -> (x - y) ** 2) a b)

def loss [n][k][m] (xs: [n][k]f32) (pos: [n]i64) (neg: [n]i64) (w: [m][k]f32) : f32 =
  let e = map (embed w) xs
  let one a i j = f32.log (1 + f32.exp (4 * (sqdist a e[i] - sqdist a e[j])))
  in reduce (+) 0 (map3 one e pos neg) / f32.i64 n

entry main [n][k][m][r] (xs: [n][k]f32) (pos: [n]i32) (neg: [n]i32) (w: [m][k]f32) (dirs: [r][m][k]f32) : (f32, [r]f32) =
  let ix = map (\i -> i64.i32 (i & 0x7fffffff) % n)
  let f = loss xs (ix pos) (ix neg)
  let w0 = map (map (\v -> v - 0.5)) w
  in (f w0, map (\d -> jvp f w0 (map (map (\v -> v - 0.5)) d)) dirs)
