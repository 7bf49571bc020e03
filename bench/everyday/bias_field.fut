-- Bias field of an MRI volume (u16): log intensities, tissue means on a coarse grid of 8-voxel blocks, smoothed, trilinearly upsampled, subtracted, repeated.
def cl (n: i64) (i: i64) = i64.max 0 (i64.min (n-1) i)

def smooth [a][b][c] (g: [a][b][c](f32, f32)) : [a][b][c](f32, f32) =
  tabulate_3d a b c (\z y x ->
    let p (i: i64) (j: i64) (k: i64) = g[cl a (z+i), cl b (y+j), cl c (x+k)]
    let plus (u: (f32, f32)) (v: (f32, f32)) = (u.0+v.0, u.1+v.1)
    let s = p (-1) 0 0 `plus` p 1 0 0 `plus` p 0 (-1) 0 `plus` p 0 1 0 `plus` p 0 0 (-1) `plus` p 0 0 1
    let m = p 0 0 0
    in (0.5*m.0 + s.0/12, 0.5*m.1 + s.1/12))

def upsample [a][b][c] (g: [a][b][c]f32) (d: i64) (h: i64) (w: i64) : [d][h][w]f32 =
  let split n i = let p = (f32.i64 i - 3.5) / 8
                  let f = f32.floor p
                  in (cl n (i64.f32 f), cl n (i64.f32 f + 1), p - f)
  in tabulate_3d d h w (\z y x ->
       let (z0, z1, fz) = split a z
       let (y0, y1, fy) = split b y
       let (x0, x1, fx) = split c x
       let mix t p q = p + t * (q - p)
       let line i j = mix fx g[i,j,x0] g[i,j,x1]
       in mix fz (mix fy (line z0 y0) (line z0 y1)) (mix fy (line z1 y0) (line z1 y1)))

entry main [d][h][w] (rounds: i64) (thr: u16) (vol: [d][h][w]u16) : ([d][h][w]f32, f32) =
  let (a, b, c) = ((d+7)/8, (h+7)/8, (w+7)/8)
  let lg = map (map (map (\p -> f32.log (1 + f32.u16 p)))) vol
  let tissue = map (map (map (>= thr))) vol
  let mean = let (s, n) = map2 (\l t -> if t then (l, 1) else (0, 0)) (flatten_3d lg) (flatten_3d tissue)
                          |> reduce (\p q -> (p.0+q.0, p.1+q.1)) (0, 0)
             in if n > 0 then s / n else 0
  let bias = loop bias = replicate d (replicate h (replicate w 0)) for _k < rounds do
    let coarse = tabulate_3d a b c (\z y x ->
      loop (s, n) = (0f32, 0f32) for i in 8*z ..< i64.min d (8*z+8) do
        loop (s, n) for j in 8*y ..< i64.min h (8*y+8) do
          loop (s, n) for k in 8*x ..< i64.min w (8*x+8) do
            if tissue[i,j,k] then (s + lg[i,j,k] - bias[i,j,k] - mean, n+1) else (s, n))
    let g = coarse |> smooth |> smooth |> map (map (map (\(s, n) -> s / (n + 1))))
    in map2 (map2 (map2 (+))) bias (upsample g d h w)
  let corrected = map2 (map2 (map2 (\l q -> f32.exp (l - q)))) lg bias
  in (corrected, f32.maximum (flatten_3d bias))
