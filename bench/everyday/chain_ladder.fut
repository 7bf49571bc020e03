-- Chain-ladder reserving with Mack's standard errors for a batch of claims triangles.
def clamp_pos (x: f32) : f32 = f32.max 1e-6 x

def ladder [d] (inc: [d][d]f32) : (f32, f32, [d]f32) =
  let cum = map (scan (+) 0) inc
  let known i j = i + j < d
  let fac = map (\j ->
    if j + 1 >= d then 1
    else let num = f32.sum (map (\i -> if known i (j + 1) then cum[i, j + 1] else 0) (iota d))
         let den = f32.sum (map (\i -> if known i (j + 1) then cum[i, j] else 0) (iota d))
         in num / clamp_pos den) (iota d)
  let sig = map (\j ->
    if j + 2 >= d then 0
    else let ss = f32.sum (map (\i -> if known i (j + 1)
                                      then cum[i, j] * (cum[i, j + 1] / clamp_pos cum[i, j] - fac[j]) ** 2
                                      else 0) (iota d))
         in ss / f32.i64 (d - j - 1)) (iota d)
  let per_year i =
    let latest = cum[i, d - 1 - i]
    let (ult, err) = loop (c, e) = (latest, 0) for k < i do
      let j = d - 1 - i + k
      in (c * fac[j], e * fac[j] ** 2 + c * sig[j])
    in (ult - latest, err)
  let (res, err) = unzip (map per_year (iota d))
  in (f32.sum res, f32.sqrt (f32.sum err), fac)

entry main [b][d] (tri: [b][d][d]f32) : ([b]f32, [b]f32, [d]f32) =
  let paid = map (map (map2 (\j x -> (0.2 + x) * 1000 * f32.exp (-0.6 * f32.i64 j)) (iota d))) tri
  let (r, e, f) = unzip3 (map ladder paid)
  let mean = map (\c -> f32.sum c / f32.i64 b) (transpose f)
  in (r, e, mean)
