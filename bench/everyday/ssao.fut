-- Screen-space ambient occlusion: a smoothed depth map, normals by differences, twelve samples around each pixel, blur of the occlusion, shading.
type v3 = {x: f32, y: f32, z: f32}
def dot (a: v3) (b: v3) = a.x * b.x + a.y * b.y + a.z * b.z
def at [h][w] 't (a: [h][w]t) (i: i64) (j: i64) : t =
  a[i64.max 0 (i64.min (h - 1) i), i64.max 0 (i64.min (w - 1) j)]
def box3 [h][w] (a: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\i j ->
    (loop s = 0 for k < 9 do s + at a (i + k / 3 - 1) (j + k % 3 - 1)) / 9)

def ring : [12](i64, i64) =
  [(0, 2), (2, 0), (0, -2), (-2, 0), (3, 3), (3, -3), (-3, 3), (-3, -3), (1, 5), (5, -1), (-1, -5), (-5, 1)]

entry main [h][w] (strength: f32) (raw: [h][w]f32) : [h][w]f32 =
  let depth = box3 (box3 (map (map (* 8)) raw))
  let normal = tabulate_2d h w (\i j ->
    let gx = (at depth i (j + 1) - at depth i (j - 1)) / 2
    let gy = (at depth (i + 1) j - at depth (i - 1) j) / 2
    let s = 1 / f32.sqrt (gx * gx + gy * gy + 1)
    in {x = -gx * s, y = -gy * s, z = s})
  let occ = tabulate_2d h w (\i j ->
    let d0 = depth[i, j]
    let f (di, dj) =
      let p = {x = f32.i64 dj, y = f32.i64 di, z = at depth (i + di) (j + dj) - d0}
      let l2 = dot p p
      in f32.max 0 (dot normal[i, j] p / f32.sqrt l2 - 0.05) / (1 + 0.1 * l2)
    in f32.sum (map f ring) / 12)
  let soft = box3 occ
  let sun = {x = 0.36, y = 0.48, z = 0.8f32}
  in map2 (map2 (\o n -> (0.3 + 0.7 * f32.max 0 (dot sun n)) * f32.max 0 (1 - 3 * strength * o))) soft normal
