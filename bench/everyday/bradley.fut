-- Bradley's adaptive threshold: a pixel is ink where it lies t percent below the mean of its window, by an integral image.
def integral [h] [w] (img: [h][w]u8) : [h][w]i32 =
  map (map i32.u8) img |> map (scan (+) 0) |> transpose |> map (scan (+) 0) |> transpose

entry main [h] [w] (r: i64) (t: i32) (img: [h][w]u8) : [h][w]u8 =
  let sat = integral img
  let at y x = if y < 0 || x < 0 then 0 else sat[y, x]
  let pixel y x =
    let (y0, y1) = (i64.max 0 (y - r), i64.min (h - 1) (y + r))
    let (x0, x1) = (i64.max 0 (x - r), i64.min (w - 1) (x + r))
    let area = i32.i64 ((y1 - y0 + 1) * (x1 - x0 + 1))
    let s = at y1 x1 - at (y0 - 1) x1 - at y1 (x0 - 1) + at (y0 - 1) (x0 - 1)
    in if i32.u8 img[y, x] * area * 100 < s * (100 - t) then 0 else 255
  in tabulate_2d h w pixel
