-- Floyd and Steinberg along each row of blocks of rows: errors pass on to the right only.
def main [h][w] (img: [h][w]u8) : [h][w]u8 =
  map (\row ->
    let (out, _) = loop (out, e) = (replicate w 0u8, 0i32) for x < w do
      let v = i32.u8 row[x] + e
      let q = if v > 127 then 255 else 0
      in (out with [x] = u8.i32 q, (v - q) * 7 / 16)
    in out) img
