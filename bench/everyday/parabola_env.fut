-- Exact squared Euclidean distance transform in whole numbers: column distances by scans, then lower envelopes of parabolas row by row (Meijster).
def column_distance [n] (far: i32) (on: [n]bool) : [n]i32 =
  let big = i32.i64 n + far
  let last = scan i32.max (-big) (map2 (\i b -> if b then i32.i64 i else -big) (iota n) on)
  let back = reverse (scan i32.min big (reverse (map2 (\i b -> if b then i32.i64 i else big) (iota n) on)))
  in map3 (\i a b -> i32.min far (i32.min (i32.i64 i - a) (b - i32.i64 i))) (iota n) last back

def envelope [m] (g: [m]i32) : ([m]i32, [m]i32) =
  let f (x: i32) (i: i32) = (x - i) * (x - i) + g[i64.i32 i] * g[i64.i32 i]
  let sep (i: i32) (u: i32) =
    (u * u - i * i + g[i64.i32 u] * g[i64.i32 u] - g[i64.i32 i] * g[i64.i32 i]) / (2 * (u - i))
  let (q, s, t) =
    loop (q, s, t) = (0i64, replicate m 0i32, replicate m 0i32)
    for u in 1..<i32.i64 m do
      let q = loop q while q >= 0 && f t[q] s[q] > f t[q] u do q - 1
      in if q < 0
         then (0, s with [0] = u, t with [0] = 0)
         else let w = 1 + sep s[q] u
              in if w < i32.i64 m
                 then (q + 1, s with [q + 1] = u, t with [q + 1] = w)
                 else (q, s, t)
  let (dist, who, _) =
    loop (dist, who, q) = (replicate m 0i32, replicate m 0i32, q)
    for k < m do
      let u = m - 1 - k
      let c = s[q]
      in (dist with [u] = f (i32.i64 u) c,
          who with [u] = c,
          if i32.i64 u == t[q] then q - 1 else q)
  in (dist, who)

entry main [h] [w] (sites: [h][w]u8) : ([h][w]i32, [h][w]i32, i32) =
  let far = i32.i64 (h + w)
  let g = transpose (map (column_distance far) (transpose (map (map (< 3)) sites)))
  let (d, who) = unzip (map envelope g)
  in (d, who, i32.maximum (map i32.maximum d))
