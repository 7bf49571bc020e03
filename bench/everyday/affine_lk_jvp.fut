-- Gauss-Newton registration of two images under an affine warp: residual derivatives per pixel by jvp in the six directions, 6x6 normal equations, Cholesky.
def smooth [h][w] (img: [h][w]u16) : [h][w]f32 =
  let cl n i = i64.max 0 (i64.min (n-1) i)
  in tabulate_2d h w (\y x ->
       loop s = 0f32 for t < 25 do
         s + f32.u16 img[cl h (y + t/5 - 2), cl w (x + t%5 - 2)] / (25 * 65536))

def bilerp [h][w] (img: [h][w]f32) (y: f32) (x: f32) : f32 =
  let y = f32.max 0 (f32.min (f32.i64 (h-1)) y)
  let x = f32.max 0 (f32.min (f32.i64 (w-1)) x)
  let (i, j) = (i64.f32 y, i64.f32 x)
  let (i', j') = (i64.min (h-1) (i+1), i64.min (w-1) (j+1))
  let (s, t) = (y - f32.floor y, x - f32.floor x)
  in (1-s) * ((1-t) * img[i,j] + t * img[i,j']) + s * ((1-t) * img[i',j] + t * img[i',j'])

def solve6 (a: [6][6]f32) (b: [6]f32) : [6]f32 =
  let l = loop l = replicate 6 (replicate 6 0f32) for i < 6 do
    loop l for j < i+1 do
      let s = loop s = a[i,j] for k < j do s - l[i,k] * l[j,k]
      let v = if i == j then f32.sqrt (f32.max 1e-9 s) else s / l[j,j]
      in l with [i,j] = v
  let y = loop y = replicate 6 0 for i < 6 do
    let s = loop s = b[i] for k < i do s - l[i,k] * y[k]
    in y with [i] = s / l[i,i]
  in loop y for r < 6 do
       let i = 5 - r
       let s = loop s = y[i] for k in i+1..<6 do s - l[k,i] * y[k]
       in y with [i] = s / l[i,i]

entry main [h][w] (iters: i32) (a: [h][w]u16) (b: [h][w]u16) : ([6]f32, f32) =
  let fix = smooth a
  let mov = map2 (map2 (\p q -> 0.8 * p + 0.2 * q)) fix (smooth b)
  let sz = f32.i64 (i64.max h w)
  let resid (y: i64) (x: i64) (p: [6]f32) : f32 =
    let (v, u) = (f32.i64 y / sz - 0.5, f32.i64 x / sz - 0.5)
    in bilerp mov (f32.i64 y + p[0] + p[1]*v + p[2]*u) (f32.i64 x + p[3] + p[4]*v + p[5]*u) - fix[y,x]
  let basis = tabulate_2d 6 6 (\i j -> f32.bool (i == j))
  let step p =
    let sys = tabulate (h*w) (\k ->
      let f = resid (k / w) (k % w)
      let g = map (jvp f p) basis
      let r = f p
      in (map (\s -> map (* s) g) g, map (* r) g, r*r))
    let (hm, gr, e) = reduce_comm (\(a, b, c) (a', b', c') -> (map2 (map2 (+)) a a', map2 (+) b b', c + c'))
                                  (replicate 6 (replicate 6 0), replicate 6 0, 0) sys
    let damped = tabulate_2d 6 6 (\i j -> hm[i,j] + if i == j then 1e-3 + 0.01 * hm[i,i] else 0)
    in (map2 (-) p (solve6 damped gr), e / f32.i64 (h*w))
  in loop (p, _e) = ([0.3, 0.1, -0.1, 0.2, 0.1, 0.1], 0) for _i < iters do step p
