-- ROC AUC, best F1 threshold and expected calibration error of many classifiers from score histograms.
def b : i64 = 256

entry main [m][n] (score: [m][n]f32) (truth: [n]f32) : ([m]f32, [m]f32, [m]i64, [m]f32) =
  let lab = map (\t -> t < 0.3) truth
  let npos = f32.i64 (i64.sum (map i64.bool lab))
  let nneg = f32.i64 n - npos
  let one_model (s: [n]f32) =
    let s' = map2 (\x l -> if l then x * (2 - x) else x * x) s lab
    let bin = map (\x -> i64.min (b - 1) (i64.f32 (x * f32.i64 b))) s'
    let pos = hist (+) 0 b bin (map (\l -> if l then 1i32 else 0) lab)
    let all = hist (+) 0 b bin (replicate n 1i32)
    let sum = hist (+) 0 b bin (map (\x -> i64.f32 (x * 65536)) s')
    let neg = map2 (-) all pos
    let tp = map f32.i32 (reverse (scan (+) 0 (reverse pos)))
    let fp = map f32.i32 (reverse (scan (+) 0 (reverse neg)))
    let area = f32.sum (map3 (\t p ng -> (t - 0.5 * f32.i32 p) * f32.i32 ng) tp pos neg)
    let auc = if npos * nneg > 0 then area / (npos * nneg) else 0.5
    let f1 = map2 (\t f -> 2 * t / f32.max 1 (t + f + npos)) tp fp
    let (best, at) = reduce (\(x, i) (y, j) -> if y > x || (y == x && j < i) then (y, j) else (x, i))
                            (-1, i64.highest) (zip f1 (iota b))
    let ece = f32.sum (map2 (\p s -> f32.abs (f32.i32 p - f32.i64 s / 65536)) pos sum) / f32.i64 n
    in (auc, best, at, ece)
  in unzip4 (map one_model score)
