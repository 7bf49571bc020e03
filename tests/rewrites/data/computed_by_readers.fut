-- Images that two others are made of, which are no group with them: one is returned, too.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def coarser [k][n][m] (f: [k][n][m]f32) : [k][n / 2 - 1][m]f32 =
  tabulate_3d k (n / 2 - 1) m (\c y x -> f[c, 2 * y, x] + 2 * f[c, 2 * y + 1, x] + f[c, 2 * y + 2, x])

-- The level that the data say.
def chosen [k][n][m] (img: [n][m]f32) (f: [k][n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\y x -> let c = i64.max 0 (i64.min (k - 1) (i64.f32 img[y, x])) in f[c, y, x] * 2)

entry cheap [n][m] (img: [n][m]f32) =
  let copies = tabulate_3d 4 n m (\c y x -> img[y, x] + f32.i64 c)
  in (coarser copies, chosen img copies)

-- Beyond its border, which fails where the image has no element.
entry extended [n][m] (img: [n][m]f32) =
  let copies = tabulate_3d 4 (n + 6) (m + 6) (\c y x -> if c < 3 then img[clamp n (y - 3), clamp m (x - 3)] else f32.i64 x)
  in (coarser copies, tabulate_3d 4 n m (\c y x -> copies[c, y + 3, x + 3] * 2))

entry of_pairs [n][m] (img: [n][m]f32) =
  let (f, g) = unzip (map unzip (map (map (\v -> (v + 1, v * 3))) img))
  in (tabulate_2d n m (\y x -> f[clamp n (y - 1), x] + g[clamp n (y + 1), x]),
      tabulate_2d (n + 1) m (\y x -> f[clamp n y, clamp m (x - 1)] - g[clamp n y, clamp m (x + 1)]))

-- Dear to compute, read by an operation that is no stage, or a result: in memory.
entry dear [n][m] (img: [n][m]f32) =
  let copies = tabulate_3d 4 n m (\c y x -> f32.exp (f32.sin (f32.cos (f32.tan (img[y, x] + f32.i64 c)))))
  in (coarser copies, chosen img copies)

entry returned [n][m] (img: [n][m]f32) =
  let copies = tabulate_3d 4 n m (\c y x -> img[y, x] + f32.i64 c)
  in (coarser copies, chosen img copies, copies)

entry summed [n][m] (img: [n][m]f32) =
  let copies = tabulate_3d 4 n m (\c y x -> img[y, x] + f32.i64 c)
  in (coarser copies, chosen img copies, map (map f32.sum) copies)
