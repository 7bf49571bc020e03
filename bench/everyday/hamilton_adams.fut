-- Hamilton and Adams' demosaicing of a batch of 8-bit GRBG frames: green along the smaller gradient, then differences of colours interpolated; the planes' sums too.
type plane [h][w] = [h][w]i16

def near (n: i64) (i: i64) = if i < 0 then i + 2 else if i >= n then i - 2 else i

def green [h][w] (m: plane [h][w]): plane [h][w] =
  tabulate_2d h w (\y x ->
    if (y + x) % 2 == 0 then m[y, x]
    else
      let a dy dx = m[near h (y+dy), near w (x+dx)]
      let c = a 0 0
      let lh = 2*c - a 0 (-2) - a 0 2
      let lv = 2*c - a (-2) 0 - a 2 0
      let gh = i16.abs (a 0 (-1) - a 0 1) + i16.abs lh
      let gv = i16.abs (a (-1) 0 - a 1 0) + i16.abs lv
      let eh = (2*(a 0 (-1) + a 0 1) + lh) / 4
      let ev = (2*(a (-1) 0 + a 1 0) + lv) / 4
      let e = if gh < gv then eh else if gv < gh then ev else (eh + ev) / 2
      in i16.max 0 (i16.min 255 e))

-- The plane of the colour measured where y % 2 == py and x % 2 == px.
def colour [h][w] (py: i64) (px: i64) (m: plane [h][w]) (g: plane [h][w]): plane [h][w] =
  let diff y x = let (y, x) = (near h y, near w x) in m[y, x] - g[y, x]
  let f y x =
    let d = if y % 2 == py
            then if x % 2 == px then diff y x else (diff y (x-1) + diff y (x+1)) / 2
            else if x % 2 == px then (diff (y-1) x + diff (y+1) x) / 2
                 else (diff (y-1) (x-1) + diff (y-1) (x+1) + diff (y+1) (x-1) + diff (y+1) (x+1)) / 4
    in i16.max 0 (i16.min 255 (g[y, x] + d))
  in tabulate_2d h w f

entry main [n][h][w] (frames: [n][h][w]u8): ([n][3][h][w]u8, [n][3]i64) =
  let one frame =
    let m = map (map i16.u8) frame
    let g = green m
    let rgb = [colour 0 1 m g, g, colour 1 0 m g]
    in (map (map (map u8.i16)) rgb, map (\p -> i64.sum (map i64.i16 (flatten p))) rgb)
  in unzip (map one frames)
