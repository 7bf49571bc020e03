-- Optical flow by polynomial expansion: a quadratic is fitted in a 7x7 Gaussian window at each pixel (separable moments), displacement from the averaged 2x2 systems; mirrored borders.
def radius: i64 = 3
def gauss: [7]f32 = map (\i -> f32.exp (-0.3 * f32.i64 ((i-3)*(i-3)))) (iota 7)
def mirror (n: i64) (i: i64): i64 = let i = i64.abs i in if i >= n then 2*(n-1) - i else i

def along_x [h][w] (k: i64 -> f32) (im: [h][w]f32): [h][w]f32 =
  map (\row -> map (\x -> loop s = 0 for d < 7 do s + gauss[d] * k (d - radius) * row[mirror w (x + d - radius)]) (iota w)) im
def along_y [h][w] (k: i64 -> f32) (im: [h][w]f32): [h][w]f32 = transpose (along_x k (transpose im))

def p0 (_: i64): f32 = 1
def p1 d = f32.i64 d
def p2 d = f32.i64 (d*d)

-- (bx, by, axx, ayy, axy)
def expand [h][w] (im: [h][w]f32) =
  let m k = f32.sum (map (\i -> gauss[i] * k (i - radius)) (iota 7))
  let (m0, m2, m4) = (m p0, m p2, m (\d -> p2 d * p2 d))
  let x0 = along_x p0 im
  let (x1, x2) = (along_x p1 im, along_x p2 im)
  let (s, sx, sy) = (along_y p0 x0, along_y p0 x1, along_y p1 x0)
  let (sxx, syy, sxy) = (along_y p0 x2, along_y p2 x0, along_y p1 x1)
  let q = m4*m0 - m2*m2
  in map3 (map3 (\a b c -> (a, b, c))) s sx sy
     |> map2 (map2 (\(xx, yy, xy) (s, x, y) ->
          (x / (m2*m0), y / (m2*m0), (xx*m0 - s*m2) / (q*m0) * m0, (yy*m0 - s*m2) / (q*m0) * m0, xy / (m2*m2))))
             (map3 (map3 (\a b c -> (a, b, c))) sxx syy sxy)

entry main [h][w] (lambda: f32) (a: [h][w]f32) (b: [h][w]f32): ([h][w]f32, [h][w]f32) =
  let systems = map2 (map2 (\p q ->
    let (axx, ayy, axy) = (0.5*(p.2 + q.2), 0.5*(p.3 + q.3), 0.25*(p.4 + q.4))
    let (dx, dy) = (-0.5*(q.0 - p.0), -0.5*(q.1 - p.1))
    in [axx*axx + axy*axy, axy*(axx + ayy), axy*axy + ayy*ayy, axx*dx + axy*dy, axy*dx + ayy*dy])) (expand a) (expand b)
  let mean c = systems |> map (map (\s: f32 -> s[c])) |> along_x p0 |> along_y p0
  let (gxx, gxy, gyy, hx, hy) = (mean 0, mean 1, mean 2, mean 3, mean 4)
  let solve y x =
    let (p, q, r) = (gxx[y,x] + lambda, gxy[y,x], gyy[y,x] + lambda)
    let det = p*r - q*q
    in ((r * hx[y,x] - q * hy[y,x]) / det, (p * hy[y,x] - q * hx[y,x]) / det)
  in unzip (map unzip (tabulate_2d h w solve))
