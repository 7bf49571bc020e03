-- Frangi's vesselness: Hessians by derivatives of Gaussians (separable, clamped) at several scales, eigenvalues, the best over scales, with the mean response per scale.
def filter1 [t] (k: [t]f32) (get: i64 -> f32): f32 =
  loop s = 0 for i < t do s + k[i] * get (i - t/2)

def separable [h][w][t] (ky: [t]f32) (kx: [t]f32) (img: [h][w]f32): [h][w]f32 =
  let cl n i = i64.max 0 (i64.min (n-1) i)
  let a = tabulate_2d h w (\y x -> filter1 kx (\o -> img[y, cl w (x+o)]))
  in tabulate_2d h w (\y x -> filter1 ky (\o -> a[cl h (y+o), x]))

def vessel [h][w] (img: [h][w]f32) (sigma: f32): [h][w]f32 =
  let r = 9i64
  let n = 2*r + 1
  let g = tabulate n (\i -> let x = f32.i64 (i - r) in f32.exp (-x*x/(2*sigma*sigma)))
  let g = map (/ f32.sum g) g
  let xs = map (\i -> f32.i64 (i - r)) (iota n)
  let g1 = map2 (\x v -> x*v/sigma) xs g
  let g2 = map2 (\x v -> (x*x/(sigma*sigma) - 1)*v) xs g
  let ixx = separable g g2 img
  let iyy = separable g2 g img
  let ixy = separable g1 g1 img
  let strength xx yy xy =
    let m = (xx + yy)/2
    let d = f32.sqrt ((xx - yy)*(xx - yy)/4 + xy*xy)
    let (lo, hi) = (m - d, m + d)
    in if lo >= 0 then 0
       else f32.exp (-(hi*hi)/(0.5*(lo*lo + 1e-6))) * (1 - f32.exp (-20*(lo*lo + hi*hi)))
  in map3 (map3 strength) ixx iyy ixy

entry main [h][w] (img: [h][w]f32): ([h][w]f32, [3]f32) =
  let sigmas = [1, 1.7, 2.9]
  let vs = map (vessel img) sigmas
  let best = map3 (map3 (\a b c -> f32.max a (f32.max b c))) vs[0] vs[1] vs[2]
  in (best, map (\v -> f32.sum (flatten v) / f32.i64 (h*w)) vs)
