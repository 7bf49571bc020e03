-- Tomography by SART: parallel projections of a slice by bilinear rays; every sweep corrects by the normalised back-projection of the residual; the residual's norm per sweep.
def bilinear [n] (im: [n][n]f32) (y: f32) (x: f32): f32 =
  let (fy, fx) = (f32.floor y, f32.floor x)
  let (iy, ix) = (i64.f32 fy, i64.f32 fx)
  let (b, a) = (y - fy, x - fx)
  let at i j = if i >= 0 && i < n && j >= 0 && j < n then im[i, j] else 0
  in (1-b) * ((1-a) * at iy ix + a * at iy (ix+1)) + b * ((1-a) * at (iy+1) ix + a * at (iy+1) (ix+1))

def angle (na: i64) (k: i64) = let t = (f32.i64 k + 0.3) * f32.pi / f32.i64 na in (f32.cos t, f32.sin t)

def forward [n] (na: i64) (im: [n][n]f32): [na][n]f32 =
  let c = 0.5 * f32.i64 (n - 1)
  in tabulate_2d na n (\k s ->
       let (co, si) = angle na k
       let u = f32.i64 s - c
       in loop sum = 0 for t < n do
            let v = f32.i64 t - c
            in sum + bilinear im (c + u*si + v*co) (c + u*co - v*si))

def back [na][n] (sino: [na][n]f32): [n][n]f32 =
  let c = 0.5 * f32.i64 (n - 1)
  in tabulate_2d n n (\y x ->
       f32.sum (map2 (\k row ->
         let (co, si) = angle na k
         let s = f32.max 0 (f32.min (f32.i64 (n-1)) (c + (f32.i64 x - c)*co + (f32.i64 y - c)*si))
         let i = i64.min (n-2) (i64.f32 s)
         let a = s - f32.i64 i
         in (1-a)*row[i] + a*row[i+1]) (iota na) sino) / f32.i64 na)

entry main [n] (na: i64) (sweeps: i64) (relax: f32) (object: [n][n]f32): ([n][n]f32, [sweeps]f32) =
  let measured = forward na object
  let lengths = map (map (f32.max 1)) (forward na (replicate n (replicate n 1)))
  in loop (im, norms) = (replicate n (replicate n 0.3), replicate sweeps 0) for i < sweeps do
       let residual = map3 (map3 (\m p l -> (m - p) / l)) measured (forward na im) lengths
       let norm = f32.sqrt (f32.sum (map (\r -> f32.sum (map (\v -> v*v) r)) residual))
       in (map2 (map2 (\v c -> f32.max 0 (v + relax*c))) im (back residual), norms with [i] = norm)
