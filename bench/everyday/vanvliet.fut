-- Young and van Vliet's recursive Gaussian of third order on a batch of images, rows then columns; two widths give a band pass and its energy per image.
type coef = { b: f32, a1: f32, a2: f32, a3: f32 }

def coefficients (sigma: f32): coef =
  let q = if sigma < 2.5 then 3.97156 - 4.14554 * f32.sqrt (1 - 0.26891*sigma) else 0.98711*sigma - 0.96330
  let b0 = 1.57825 + q*(2.44413 + q*(1.4281 + q*0.422205))
  let b1 = q*(2.44413 + q*(2.85619 + q*1.26661))
  let b2 = -(q*q*(1.4281 + q*1.26661))
  let b3 = q*q*q*0.422205
  in { b = 1 - (b1 + b2 + b3)/b0, a1 = b1/b0, a2 = b2/b0, a3 = b3/b0 }

def sweep [n] (k: coef) (xs: [n]f32): [n]f32 =
  let start = xs[0]
  let (out, _, _, _) =
    loop (out, p, q, r) = (replicate n 0, start, start, start) for i < n do
      let y = k.b * xs[i] + k.a1*p + k.a2*q + k.a3*r
      in (out with [i] = y, y, p, q)
  in out

def both (k: coef) xs = xs |> sweep k |> reverse |> sweep k |> reverse
def gauss [h][w] (sigma: f32) (img: [h][w]f32): [h][w]f32 =
  let k = coefficients sigma
  in map (both k) img |> transpose |> map (both k) |> transpose

entry main [n][h][w] (s1: f32) (s2: f32) (imgs: [n][h][w]f32): ([n][h][w]f32, [n]f32) =
  let band = map (\im -> map2 (map2 (-)) (gauss s1 im) (gauss s2 im)) imgs
  in (band, map (\b -> f32.sum (map (\x -> x*x) (flatten b)) / f32.i64 (h*w)) band)
