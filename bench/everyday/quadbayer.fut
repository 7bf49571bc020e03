-- Quad-Bayer raw (u16) to planar RGB u8 in integers: black level, remosaic to a plain Bayer grid, demosaic, white balance, colour matrix, knee curve.
type colour = #red | #green | #blue

def bayer (y: i64) (x: i64) : colour =
  if y % 2 == 0 then (if x % 2 == 0 then #red else #green)
  else (if x % 2 == 0 then #green else #blue)
def quad y x = bayer (y/2) (x/2)

def same (a: colour) (b: colour) : bool =
  match (a, b)
  case (#red, #red) -> true
  case (#green, #green) -> true
  case (#blue, #blue) -> true
  case _ -> false

-- weighted mean of the samples of one colour around a site, 0 if there is none
def gather [h][w] (r: i64) (cfa: i64 -> i64 -> colour) (img: [h][w]i32) (c: colour) (y: i64) (x: i64) : i32 =
  let k = 2*r+1
  let (s, ws) =
    loop (s, ws) = (0, 0) for t < k*k do
      let (dy, dx) = (t / k - r, t % k - r)
      let (yy, xx) = (y+dy, x+dx)
      in if yy >= 0 && yy < h && xx >= 0 && xx < w && same (cfa yy xx) c
         then let q = 12 / (1 + i32.i64 (dy*dy + dx*dx))
              in (s + q * img[yy,xx], ws + q)
         else (s, ws)
  in if ws > 0 then s / ws else 0

def knee (v: i32) : u8 =
  let c = i32.max 0 (i32.min 4095 v)
  in u8.i32 (if c < 512 then c / 6 else if c < 1536 then 85 + (c - 512) / 13 else 163 + (c - 1536) / 28)

entry main [h][w] (black: i32) (wbr: i32) (wbb: i32) (raw: [h][w]u16) : [3][h][w]u8 =
  let lin = map (map (\p -> i32.max 0 (i32.u16 (p >> 4) - black))) raw
  let bay = tabulate_2d h w (\y x ->
    let c = bayer y x
    in if same (quad y x) c then lin[y,x] else gather 2 quad lin c y x)
  let rgb = tabulate_2d h w (\y x ->
    let at c = if same (bayer y x) c then bay[y,x] else gather 1 bayer bay c y x
    in ((wbr * at #red) >> 8, at #green, (wbb * at #blue) >> 8))
  let out = map (map (\(r, g, b) ->
    (knee ((410*r - 102*g - 52*b) >> 8), knee ((384*g - 51*r - 77*b) >> 8), knee ((435*b - 26*r - 153*g) >> 8)))) rgb
  let (r, g, b) = unzip3 (map unzip3 out)
  in [r, g, b]
