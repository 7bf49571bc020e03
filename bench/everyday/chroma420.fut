-- Colour cleaning: interleaved RGB to 4:2:0, chroma smoothed by a binomial filter, luma sharpened, chroma brought back by a 9-3-3-1 filter, to RGB again; all in integers.
def clip (v: i32): u8 = u8.i32 (i32.max 0 (i32.min 255 v))

def at 't [h][w] (im: [h][w]t) (y: i64) (x: i64): t = #[unsafe] im[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]

def half [h][w] (im: [h][w]i32) =
  tabulate_2d ((h+1)/2) ((w+1)/2) (\y x ->
    (at im (2*y) (2*x) + at im (2*y) (2*x+1) + at im (2*y+1) (2*x) + at im (2*y+1) (2*x+1) + 2) >> 2)

def smooth [h][w] (im: [h][w]i32): [h][w]i32 =
  let k = [1, 4, 6, 4, 1]
  let horizontal = tabulate_2d h w (\y x -> i32.sum (map2 (\c d -> c * at im y (x+d-2)) k (iota 5)))
  in tabulate_2d h w (\y x -> (128 + i32.sum (map2 (\c d -> c * at horizontal (y+d-2) x) k (iota 5))) >> 8)

def grow [h][w] (hh: i64) (ww: i64) (im: [h][w]i32): [hh][ww]i32 =
  tabulate_2d hh ww (\y x ->
    let (cy, cx) = (y/2, x/2)
    let (ny, nx) = (if y % 2 == 0 then cy-1 else cy+1, if x % 2 == 0 then cx-1 else cx+1)
    in (9*at im cy cx + 3*at im ny cx + 3*at im cy nx + at im ny nx + 8) >> 4)

entry main [h][w] (amount: i32) (rgb: [h][w][3]u8): [h][w][3]u8 =
  let yuv = map (map (\p ->
    let (r, g, b) = (i32.u8 p[0], i32.u8 p[1], i32.u8 p[2])
    in ((77*r + 150*g + 29*b + 128) >> 8, (-43*r - 85*g + 128*b + 128) >> 8, (128*r - 107*g - 21*b + 128) >> 8))) rgb
  let luma = map (map (.0)) yuv
  let chroma f = yuv |> map (map f) |> half |> smooth |> grow h w
  let (u, v) = (chroma (.1), chroma (.2))
  in tabulate_2d h w (\y x ->
       let c = luma[y, x]
       let around = at luma (y-1) x + at luma (y+1) x + at luma y (x-1) + at luma y (x+1)
       let l = c + ((amount * (4*c - around)) >> 6)
       in [clip (l + ((359 * v[y,x]) >> 8)), clip (l - ((88*u[y,x] + 183*v[y,x]) >> 8)), clip (l + ((454 * u[y,x]) >> 8))])
