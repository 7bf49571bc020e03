-- Instance normalisation of NHWC images with affine parameters and its backward pass: reductions over the two middle dimensions.
def main [n][h][w][c] (x: [n][h][w][c]f32) (dy: [n][h][w][c]f32) (gamma: [c]f32)
  : ([n][h][w][c]f32, [c]f32, [c]f32) =
  let m = f32.i64 (i64.max 1 (h * w))
  let per_channel (t: [h][w][c]f32) : [c]f32 =
    reduce (map2 (+)) (replicate c 0) (flatten t)
  let image (xi: [h][w][c]f32) (gi: [h][w][c]f32) =
    let mean = map (/ m) (per_channel xi)
    let var = map (/ m) (per_channel (map (map (\p -> map2 (\a mu -> (a - mu) * (a - mu)) p mean)) xi))
    let inv = map (\s -> 1 / f32.sqrt (s + 1e-5)) var
    let xhat = map (map (\p -> map3 (\a mu r -> (a - mu) * r) p mean inv)) xi
    let sg = per_channel gi
    let sgx = per_channel (map2 (map2 (map2 (*))) gi xhat)
    let dx = map2 (map2 (\g z -> map4 (\gc zc (a, b) (ga, r) -> ga * r * (gc - a / m - zc * b / m))
                                      g z (zip sg sgx) (zip gamma inv))) gi xhat
    in (dx, sgx, sg)
  let (dx, dg, db) = unzip3 (map2 image x dy)
  in (dx, map f32.sum (transpose dg), map f32.sum (transpose db))
