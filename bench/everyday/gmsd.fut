-- Gradient magnitude similarity deviation of two u8 images: 2x2 averages, Prewitt magnitudes off the border, similarity map and its deviation.
module img = {
  def down2 [h][w] (p: [h][w]u8) : [][]f32 =
    let s (y: i64) (x: i64) = f32.u8 p[y,x]
    in tabulate_2d (h/2) (w/2) (\y x ->
         0.25 * (s (2*y) (2*x) + s (2*y) (2*x+1) + s (2*y+1) (2*x) + s (2*y+1) (2*x+1)))

  def prewitt [h][w] (p: [h][w]f32) : [h][w]f32 =
    tabulate_2d h w (\y x ->
      if y < 1 || x < 1 || y >= h-1 || x >= w-1 then 0
      else
        let col j = p[y-1,j] + p[y,j] + p[y+1,j]
        let row i = p[i,x-1] + p[i,x] + p[i,x+1]
        let gx = (col (x-1) - col (x+1)) / 3
        let gy = (row (y-1) - row (y+1)) / 3
        in f32.sqrt (gx*gx + gy*gy))
}

entry main [h][w] (c: f32) (a: [h][w]u8) (b: [h][w]u8) : (f32, [][]f32) =
  let noisy = map2 (map2 (\x y -> x / 2 + y / 4)) a b
  let ga = img.prewitt (img.down2 a)
  let gb = img.prewitt (img.down2 noisy) :> [h/2][w/2]f32
  let ga = ga :> [h/2][w/2]f32
  let gms = map2 (map2 (\x y -> (2*x*y + c) / (x*x + y*y + c))) ga gb
  let n = f32.i64 (i64.max 1 ((h/2) * (w/2)))
  let mean = f32.sum (flatten gms) / n
  let var = f32.sum (map (\v -> (v - mean) ** 2) (flatten gms)) / n
  in (f32.sqrt var, gms)
