-- Edges of an interleaved colour image, the strongest channel.
def main [h][w] (img: [h][w][3]u8) : [h][w]u8 =
  let at y x c = i32.u8 img[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x), c]
  in tabulate_2d h w (\y x ->
    let g c =
      let gx = at (y-1) (x+1) c + 2*at y (x+1) c + at (y+1) (x+1) c - at (y-1) (x-1) c - 2*at y (x-1) c - at (y+1) (x-1) c
      let gy = at (y+1) (x-1) c + 2*at (y+1) x c + at (y+1) (x+1) c - at (y-1) (x-1) c - 2*at (y-1) x c - at (y-1) (x+1) c
      in i32.abs gx + i32.abs gy
    in u8.i32 (i32.min 255 (i32.max (g 0) (i32.max (g 1) (g 2)))))
