-- Cube map from an equirectangular half-float panorama (wrap in longitude, clamp in latitude), with a chain of two box-filtered mip levels.
def direction (face: i64) (u: f32) (v: f32) : (f32, f32, f32) =
  if face == 0 then (1, -v, -u)
  else if face == 1 then (-1, -v, u)
  else if face == 2 then (u, 1, v)
  else if face == 3 then (u, -1, -v)
  else if face == 4 then (u, -v, 1)
  else (-u, -v, -1)

def half [n] (m: i64) (face: [n][n][3]f16) : [m][m][3]f16 =
  tabulate_2d m m (\y x ->
    let c i = i64.min (n-1) i
    in map (\k -> 0.25 * (face[c (2*y), c (2*x), k] + face[c (2*y), c (2*x+1), k]
                          + face[c (2*y+1), c (2*x), k] + face[c (2*y+1), c (2*x+1), k])) (iota 3))

entry main [h][w] (s: i64) (pano: [h][w][3]f16) : ([6][s][s][3]f16, [][][][3]f16, [][][][3]f16) =
  let look (x: f32, y: f32, z: f32) : [3]f16 =
    let lon = f32.atan2 z x / (2 * f32.pi) + 0.5
    let lat = f32.acos (y / f32.sqrt (x*x + y*y + z*z)) / f32.pi
    let px = lon * f32.i64 w - 0.5
    let py = lat * f32.i64 h - 0.5
    let (ix, iy) = (f32.floor px, f32.floor py)
    let (fx, fy) = (px - ix, py - iy)
    let wrap i = i % w
    let clamp i = i64.max 0 (i64.min (h-1) i)
    let (x0, x1) = (wrap (i64.f32 ix), wrap (i64.f32 ix + 1))
    let (y0, y1) = (clamp (i64.f32 iy), clamp (i64.f32 iy + 1))
    let mix t a b = f32.f16 a * (1 - t) + f32.f16 b * t
    in map (\c ->
         let top = mix fx pano[y0,x0,c] pano[y0,x1,c]
         let bot = mix fx pano[y1,x0,c] pano[y1,x1,c]
         in f16.f32 (top * (1 - fy) + bot * fy)) (iota 3)
  let coord i = (2 * f32.i64 i + 1) / f32.i64 s - 1
  let faces = tabulate_3d 6 s s (\f y x -> look (direction f (coord x) (coord y)))
  let m1 = (s + 1) / 2
  let m2 = (m1 + 1) / 2
  let l1 = map (half m1) faces
  in (faces, l1, map (half m2) l1)
