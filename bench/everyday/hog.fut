-- Histograms of oriented gradients: 9 soft bins over cells of 8x8 pixels, blocks of 2x2 cells normalised with clipping (L2-Hys).
def cell: i64 = 8
def nbins: i64 = 9

def bins_of (gy: f32) (gx: f32): ((i64, f32), (i64, f32)) =
  let magnitude = f32.sqrt (gy * gy + gx * gx)
  let angle = f32.atan2 gy gx / f32.pi
  let angle = if angle < 0 then angle + 1 else angle
  let position = angle * f32.i64 nbins
  let low = f32.floor position
  let t = position - low
  let b = i64.f32 low
  in ((b % nbins, magnitude * (1 - t)), ((b + 1) % nbins, magnitude * t))

def hys [n] (v: [n]f32): [n]f32 =
  let unit (v: [n]f32) = let s = 1 / f32.sqrt (f32.sum (map (\x -> x * x) v) + 1e-3) in map (* s) v
  in v |> unit |> map (f32.min 0.2) |> unit

entry main [h][w] (img: [h][w]u8): [h / cell - 1][w / cell - 1][4 * nbins]f32 =
  let luminance = map (map (\p -> f32.sqrt (f32.u8 p))) img
  let gradients =
    tabulate_2d h w (\y x ->
      let up = luminance[i64.max 0 (y - 1), x]
      let down = luminance[i64.min (h - 1) (y + 1), x]
      let left = luminance[y, i64.max 0 (x - 1)]
      let right = luminance[y, i64.min (w - 1) (x + 1)]
      in (down - up, right - left))
  let cells =
    tabulate_2d (h / cell) (w / cell) (\i j ->
      loop acc = replicate nbins 0f32 for k < cell * cell do
        let (gy, gx) = gradients[i * cell + k / cell, j * cell + k % cell]
        let ((b0, v0), (b1, v1)) = bins_of gy gx
        let acc = acc with [b0] = acc[b0] + v0
        in acc with [b1] = acc[b1] + v1)
  in tabulate_2d (h / cell - 1) (w / cell - 1) (\i j ->
       let block = cells[i:i + 2, j:j + 2] :> [2][2][nbins]f32
       in hys (flatten (flatten block) :> [4 * nbins]f32))
