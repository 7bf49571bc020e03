-- Raw 16-bit sensor frames: black level, lens shading by a coarse gain grid (fixed-point bilinear), white balance per mosaic site, clipping, a table to 8 bits; and a histogram per site.
def site (y: i64) (x: i64): i64 = 2*(y & 1) + (x & 1)

def gain_at [gh][gw] (g: [gh][gw]i32) (h: i64) (w: i64) (y: i64) (x: i64): i32 =
  let fy = y * (gh - 1) * 256 / h
  let fx = x * (gw - 1) * 256 / w
  let (gy, gx) = (fy >> 8, fx >> 8)
  let (ay, ax) = (i32.i64 (fy & 255), i32.i64 (fx & 255))
  let row k = g[gy + k, gx] * (256 - ax) + g[gy + k, gx + 1] * ax
  in ((row 0 >> 4) * (256 - ay) + (row 1 >> 4) * ay) >> 12

entry main [h][w][gh][gw] (black: i32) (wb: [4]u8) (grid: [gh][gw]u8) (table: [4096]u8) (raw: [h][w]u16): ([h][w]u8, [4][64]i32) =
  let gains = map (map (\g -> 256 + i32.u8 g)) grid
  let balance = map (\b -> 128 + i32.u8 b) wb
  let linear =
    tabulate_2d h w (\y x ->
      let v = i32.max 0 ((i32.u16 raw[y, x] >> 4) - black)
      let v = (v * gain_at gains h w y x) >> 8
      let v = (v * balance[site y x]) >> 8
      in i32.min 4095 v)
  let out = map (map (\v -> table[v])) linear
  let bins = flatten (tabulate_2d h w (\y x -> 64 * site y x + i64.i32 (linear[y, x] >> 6)))
  let counts = hist (+) 0 256 bins (map (const 1i32) bins)
  in (out, unflatten (sized (4*64) counts))
