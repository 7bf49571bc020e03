-- White top-hat of a u8 volume with a box element (borders ignored), Otsu-free threshold at mean plus k deviations, voxel count per slice.
def along_x [d][h][w] (op: u8 -> u8 -> u8) (ne: u8) (r: i64) (v: [d][h][w]u8) : [d][h][w]u8 =
  map (map (\row ->
    tabulate w (\x -> loop a = ne for j in i64.max 0 (x-r) ..< i64.min w (x+r+1) do op a row[j]))) v

def box3 [d][h][w] op ne r (v: [d][h][w]u8) : [d][h][w]u8 =
  let a = along_x op ne r v
  let b = map transpose (along_x op ne r (map transpose a))
  let flip = transpose b                       -- [h][d][w]
  let c = map transpose (along_x op ne r (map transpose flip))
  in transpose c

def erode r v = box3 u8.min 255 r v
def dilate r v = box3 u8.max 0 r v

entry main [d][h][w] (r: i64) (k: f32) (vol: [d][h][w]u8) : ([d]i32, [d][h][w]u8) =
  let opened = vol |> erode r |> dilate r
  let hat = map2 (map2 (map2 (-))) vol opened
  let n = f32.i64 (d*h*w)
  let (s, s2) = hat |> flatten_3d
                |> map (\p -> let q = i64.u8 p in (q, q*q))
                |> reduce (\(a,b) (c,e) -> (a+c, b+e)) (0, 0)
  let mean = f32.i64 s / n
  let sd = f32.sqrt (f32.max 0 (f32.i64 s2 / n - mean*mean))
  let mask = map (map (map (\p -> if f32.u8 p > mean + k*sd then 1u8 else 0))) hat
  in (map (\sl -> i32.sum (map i32.u8 (flatten sl))) mask, hat)
