-- Detail boost of a volume by a two-level 3-D Laplacian pyramid; the three axes have three kinds of border.
def clampi (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def mirror (n: i64) (i: i64) = clampi n (if i < 0 then -i else if i >= n then 2 * n - 2 - i else i)
def wrap (n: i64) (i: i64) = (i + n) % n

def half (n: i64) = (n + 1) / 2
def tap4 (at: i64 -> f32) (i: i64) : f32 =
  0.125 * at (2 * i - 1) + 0.375 * at (2 * i) + 0.375 * at (2 * i + 1) + 0.125 * at (2 * i + 2)

def down_x [d][h][w] (a: [d][h][w]f32) =
  tabulate_3d d h (half w) (\z y x -> tap4 (\j -> a[z, y, wrap w (j % w)]) x)
def down_y [d][h][w] (a: [d][h][w]f32) =
  tabulate_3d d (half h) w (\z y x -> tap4 (\j -> a[z, mirror h j, x]) y)
def down_z [d][h][w] (a: [d][h][w]f32) =
  tabulate_3d (half d) h w (\z y x -> tap4 (\j -> a[clampi d j, y, x]) z)
def down a = a |> down_x |> down_y |> down_z

def up [p][q][r] (d: i64) (h: i64) (w: i64) (c: [p][q][r]f32) : [d][h][w]f32 =
  let pos n i = let k = clampi n ((i - 1) / 2)
                in (k, clampi n (k + 1), if i == 0 then 0 else if i % 2 == 1 then 0.25 else 0.75f32)
  let mix t a b = a + t * (b - a)
  in tabulate_3d d h w (\z y x ->
       let (z0, z1, tz) = pos p z
       let (y0, y1, ty) = pos q y
       let (x0, x1, tx) = pos r x
       let row zz yy = mix tx c[zz, yy, x0] c[zz, yy, x1]
       in mix tz (mix ty (row z0 y0) (row z0 y1)) (mix ty (row z1 y0) (row z1 y1)))

def boost (gain: f32) (l: f32) = l * (1 + gain * f32.exp (-40 * l * l))

def main [d][h][w] (gain: f32) (vol: [d][h][w]f32) =
  let g1 = down vol
  let g2 = down g1
  let l0 = map2 (map2 (map2 (-))) vol (up d h w g1)
  let l1 = map2 (map2 (map2 (-))) g1 (up (half d) (half h) (half w) g2)
  let r1 = map2 (map2 (map2 (\l b -> boost gain l + b))) l1 (up (half d) (half h) (half w) g2)
  in map2 (map2 (map2 (\l b -> f32.max 0 (f32.min 1 (boost gain l + b))))) l0 (up d h w r1)
