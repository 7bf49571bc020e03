-- What all colours of a point have in common, behind an image that is read in windows.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def rows [n][m] (f: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\y x -> f[clamp n (y - 1), x] + 2 * f[y, x] + f[clamp n (y + 1), x])
def columns [n][m] (f: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\y x -> f[y, clamp m (x - 1)] + 2 * f[y, x] + f[y, clamp m (x + 1)])

-- An image without colours.
entry gray [n][m] (img: [3][n][m]f32) : [3][n][m]f32 =
  let smooth = columns (rows img[1])
  in tabulate_3d 3 n m (\c y x -> smooth[y, x] * img[c, y, x])

-- One of the colours, of more of them.
entry alpha [n][m] (img: [4][n][m]f32) : [3][n][m]f32 =
  let smooth = map columns (map rows img)
  in tabulate_3d 3 n m (\c y x -> smooth[c, y, x] / smooth[3, y, x])

-- The colour that the data say.
entry by_data [n][m] (img: [4][n][m]f32) : [3][n][m]f32 =
  let smooth = map columns (map rows img)
  in tabulate_3d 3 n m (\c y x -> smooth[c, y, x] + smooth[clamp 4 (i64.f32 img[c, y, x]), y, x])

-- At another place of one colour.
entry moved [n][m] (img: [3][n][m]f32) : [3][n][m]f32 =
  let smooth = columns (rows img[1])
  in tabulate_3d 3 n m (\c y x -> smooth[clamp n (y + c), x] * img[c, y, x])
