-- Non-Cartesian MRI: k-space samples of several coils are gridded with a 4x4 triangle-like kernel, normalised, brought to images by a separable DFT, and combined by root sum of squares.
type c = (f32, f32)
def cadd (a: c) (b: c): c = (a.0 + b.0, a.1 + b.1)
def cmul (a: c) (b: c): c = (a.0*b.0 - a.1*b.1, a.0*b.1 + a.1*b.0)

def kernel (d: f32): f32 = let t = f32.max 0 (1 - f32.abs d / 2) in t*t*(3 - 2*t)

def cis (n: i64) (k: i64): c = let t = 2 * f32.pi * f32.i64 (k % n) / f32.i64 n in (f32.cos t, f32.sin t)

entry main [coils][m] (n: i64) (kx: [m]f32) (ky: [m]f32) (re: [coils][m]f32) (im: [coils][m]f32): ([n][n]f32, [n][n]f32) =
  let base t = f32.floor (t * f32.i64 n)
  let cells = map2 (\x y ->
    let (bx, by) = (base x, base y)
    in tabulate 16 (\t ->
         let (cy, cx) = (by + f32.i64 (t/4 - 1), bx + f32.i64 (t%4 - 1))
         let w = kernel (cy - y * f32.i64 n) * kernel (cx - x * f32.i64 n)
         in (((i64.f32 cy + n) % n) * n + (i64.f32 cx + n) % n, w))) kx ky |> flatten
  let (index, weight) = unzip cells
  let density = reduce_by_index (replicate (n*n) 0) (+) 0 index weight
  let phase = tabulate_2d n n (\a b -> cis n (a*b))
  let image r i =
    let values = tabulate (m*16) (\t -> let w = weight[t] in (w * (r[t/16] - 0.5), w * (i[t/16] - 0.5)))
    let grid = reduce_by_index (replicate (n*n) (0, 0)) cadd (0, 0) index values
    let grid = unflatten (map2 (\(a, b) d -> let k = 1 / (d + 1) in (k*a, k*b)) grid density)
    let transform (rows: [n][n]c): [n][n]c = map (\row -> map (\ph -> reduce cadd (0, 0) (map2 cmul row ph)) phase) rows
    in grid |> transform |> transpose |> transform
       |> map (map (\(a, b) -> (a*a + b*b) / f32.i64 (n*n)))
  let power = reduce (map2 (map2 (+))) (replicate n (replicate n 0)) (map2 image re im)
  in (map (map f32.sqrt) power, unflatten density)
