-- Lasso regression by proximal gradient (ISTA) with soft thresholding.
def soft (t: f32) (x: f32) : f32 = f32.max 0 (x - t) - f32.max 0 (-x - t)

entry main [n][d] (steps: i64) (rate: f32) (lam: f32) (x0: [n][d]f32) (y: [n]f32) : ([d]f32, f32) =
  let x = map (map (\v -> v - 0.5)) x0
  let xt = transpose x
  let mean = f32.sum y / f32.i64 n
  let b = loop b = replicate d 0 for _s < steps do
            let res = map2 (\row yi -> f32.sum (map2 (*) row b) - (yi - mean)) x y
            let grad = map (\c -> f32.sum (map2 (*) c res) / f32.i64 n) xt
            in map2 (\bi g -> soft (rate * lam) (bi - rate * g)) b grad
  in (b, f32.sum (map f32.abs b))
