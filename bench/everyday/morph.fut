-- Opening then closing by 3x3 with nearest borders.
def at [h][w] (a: [h][w]u8) y x = a[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]
def window [h][w] (op: u8 -> u8 -> u8) (ne: u8) (a: [h][w]u8) =
  tabulate_2d h w (\y x -> loop m = ne for dy < 3 do loop m = m for dx < 3 do op m (at a (y+dy-1) (x+dx-1)))
def erode [h][w] (a: [h][w]u8) = window u8.min 255 a
def dilate [h][w] (a: [h][w]u8) = window u8.max 0 a
entry main [h][w] (a: [h][w]u8) : [h][w]u8 = a |> erode |> dilate |> dilate |> erode
