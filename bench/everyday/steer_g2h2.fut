-- Steerable quadrature filters (G2/H2): seven separable 9-tap filters, oriented energy, dominant orientation vector, thinning across it.
def taps (f: f32 -> f32) : [9]f32 = tabulate 9 (\i -> f (0.67 * f32.i64 (i - 4)))
def gauss (x: f32) = f32.exp (-x * x)

def sep [h][w] (fx: [9]f32) (fy: [9]f32) (a: [h][w]f32) : [h][w]f32 =
  let refl n i = if i < 0 then i64.min (n - 1) (-i - 1) else if i >= n then i64.max 0 (2 * n - 1 - i) else i
  let t = tabulate_2d h w (\y x -> loop s = 0 for k < 9 do s + fx[k] * a[y, refl w (x + k - 4)])
  in tabulate_2d h w (\y x -> loop s = 0 for k < 9 do s + fy[k] * t[refl h (y + k - 4), x])

def main [h][w] (img: [h][w]f32) =
  let g = taps gauss
  let g2a = sep (taps (\x -> 0.9213 * (2 * x * x - 1) * gauss x)) g img
  let g2b = sep (taps (\x -> x * gauss x)) (taps (\y -> 1.843 * y * gauss y)) img
  let g2c = sep g (taps (\y -> 0.9213 * (2 * y * y - 1) * gauss y)) img
  let h2a = sep (taps (\x -> 0.978 * (-2.254 * x + x * x * x) * gauss x)) g img
  let h2b = sep (taps (\x -> 0.978 * (-0.7515 + x * x) * gauss x)) (taps (\y -> y * gauss y)) img
  let h2c = sep (taps (\x -> x * gauss x)) (taps (\y -> 0.978 * (-0.7515 + y * y) * gauss y)) img
  let h2d = sep g (taps (\y -> 0.978 * (-2.254 * y + y * y * y) * gauss y)) img
  let comps y x =
    let (a, b, c) = (g2a[y, x], g2b[y, x], g2c[y, x])
    let (p, q, r, s) = (h2a[y, x], h2b[y, x], h2c[y, x], h2d[y, x])
    let c1 = 0.5 * b * b + 0.25 * a * c + 0.375 * (a * a + c * c)
             + 0.3125 * (p * p + s * s) + 0.5625 * (q * q + r * r) + 0.375 * (p * r + q * s)
    let c2 = 0.5 * (a * a - c * c) + 0.46875 * (p * p - s * s) + 0.28125 * (q * q - r * r) + 0.1875 * (p * r - q * s)
    let c3 = -a * b - b * c - 0.9375 * (r * s + p * q) - 1.6875 * q * r - 0.1875 * p * s
    in (c1, c2, c3)
  let cs = tabulate_2d h w comps
  let strength = map (map (\(_, b, c) -> f32.sqrt (b * b + c * c))) cs
  let energy = map (map (.0)) cs
  -- smoothed orientation tensor, in double angle form
  let smooth = sep (map (/ f32.sum g) g) (map (/ f32.sum g) g)
  let o2 = smooth (map (map (.1)) cs)
  let o3 = smooth (map (map (.2)) cs)
  let thin = tabulate_2d h w (\y x ->
    let at j i = strength[i64.max 0 (i64.min (h - 1) j), i64.max 0 (i64.min (w - 1) i)]
    let n = f32.sqrt (o2[y, x] * o2[y, x] + o3[y, x] * o3[y, x]) + 1e-6
    let across = 0.5 * (1 + o2[y, x] / n)
    let side = across * (at y (x - 1) + at y (x + 1)) + (1 - across) * (at (y - 1) x + at (y + 1) x)
    in f32.max 0 (2 * strength[y, x] - side))
  in (energy, o2, o3, thin)
