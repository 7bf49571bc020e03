-- LOESS smoothing of an evenly spaced series: local linear fits with tricube weights, then robust reweighting.
def tricube (u: f32) : f32 =
  let a = f32.min 1 (f32.abs u)
  let b = 1 - a * a * a
  in b * b * b

def smooth [n] (half: i64) (y: [n]f32) (rob: [n]f32) : [n]f32 =
  tabulate n (\i ->
    let (sw, sx, sxx, sy, sxy) =
      loop (sw, sx, sxx, sy, sxy) = (1e-6f32, 0f32, 1e-6f32, 0f32, 0f32) for k < 2 * half + 1 do
        let j = i + k - half
        in if j < 0 || j >= n then (sw, sx, sxx, sy, sxy)
           else let u = f32.i64 (k - half) / f32.i64 (half + 1)
                let w = tricube u * rob[j]
                in (sw + w, sx + w * u, sxx + w * u * u, sy + w * y[j], sxy + w * u * y[j])
    let det = sw * sxx - sx * sx
    in (sxx * sy - sx * sxy) / det)

entry main [n] (half: i64) (rounds: i64) (y: [n]f32) : [n]f32 =
  let rob0 = replicate n 1f32
  let (fit, _) =
    loop (_, rob) = (y, rob0) for _r < rounds do
      let fit = smooth half y rob
      let scale = 6 * f32.sum (map2 (\a b -> f32.abs (a - b)) y fit) / f32.i64 n
      let rob' = map2 (\a b -> let u = f32.min 0.99 (f32.abs (a - b) / scale)
                               let v = 1 - u * u in v * v) y fit
      in (fit, rob')
  in fit
