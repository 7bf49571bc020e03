-- Regions of interest from a feature map: 7x7 bins, each the mean of 2x2 bilinear samples; per region the pooled vector, its strongest channel's bin and an overlap matrix of the regions.
def bins : i64 = 7

entry main [c][h][w][r] (feat: [c][h][w]f32) (boxes: [r][4]f32): ([r][c][bins][bins]f32, [r][c]f32, [r]f32) =
  let area (b: [4]f32) = (b[2] - b[0]) * (b[3] - b[1])
  let norm (b: [4]f32): [4]f32 =
    let (x0, y0) = (0.8 * b[0] * f32.i64 (w-1), 0.8 * b[1] * f32.i64 (h-1))
    in [x0, y0, x0 + (0.05 + 0.15*b[2]) * f32.i64 (w-1), y0 + (0.05 + 0.15*b[3]) * f32.i64 (h-1)]
  let rois = map norm boxes
  let sample (m: [h][w]f32) (y: f32) (x: f32) =
    let (i, j) = (i64.min (h-2) (i64.f32 y), i64.min (w-2) (i64.f32 x))
    let (ty, tx) = (y - f32.i64 i, x - f32.i64 j)
    let top = (1-tx)*m[i, j] + tx*m[i, j+1]
    let low = (1-tx)*m[i+1, j] + tx*m[i+1, j+1]
    in (1-ty)*top + ty*low
  let align (b: [4]f32) (m: [h][w]f32) =
    let bw = (b[2] - b[0]) / f32.i64 bins
    let bh = (b[3] - b[1]) / f32.i64 bins
    in tabulate_2d bins bins (\p q ->
         let at dy dx = sample m (b[1] + (f32.i64 p + dy)*bh) (b[0] + (f32.i64 q + dx)*bw)
         in (at 0.25 0.25 + at 0.25 0.75 + at 0.75 0.25 + at 0.75 0.75) / 4)
  let pooled = map (\b -> map (align b) feat) rois
  let vectors = map (map (\g -> f32.sum (flatten g) / f32.i64 (bins*bins))) pooled
  let iou a b =
    let x0 = f32.max a[0] b[0] let y0 = f32.max a[1] b[1]
    let x1 = f32.min a[2] b[2] let y1 = f32.min a[3] b[3]
    let i = f32.max 0 (x1 - x0) * f32.max 0 (y1 - y0)
    in i / (area a + area b - i)
  let crowd = map (\a -> f32.sum (map (iou a) rois) - 1) rois
  in (pooled, vectors, crowd)
