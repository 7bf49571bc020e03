-- Third-order spherical harmonics of an environment map (weighted sum over all texels), then irradiance for a field of normals.
def basis (x: f32) (y: f32) (z: f32) : [9]f32 =
  [0.282095, 0.488603 * y, 0.488603 * z, 0.488603 * x, 1.092548 * x * y, 1.092548 * y * z,
   0.315392 * (3 * z * z - 1), 1.092548 * x * z, 0.546274 * (x * x - y * y)]

def band : [9]f32 = [3.141593, 2.094395, 2.094395, 2.094395, 0.785398, 0.785398, 0.785398, 0.785398, 0.785398]

def main [h][w][n] (env: [h][w][3]f32) (normals: [n][2]f32) : ([3][9]f32, [n][3]f32) =
  let texel (i: i64) (j: i64) : [3][9]f32 =
    let th = f32.pi * (f32.i64 i + 0.5) / f32.i64 h
    let ph = 2 * f32.pi * (f32.i64 j + 0.5) / f32.i64 w
    let (s, c) = (f32.sin th, f32.cos th)
    let area = s * (f32.pi / f32.i64 h) * (2 * f32.pi / f32.i64 w)
    let b = basis (s * f32.cos ph) (s * f32.sin ph) c
    in map (\e -> map (\y -> e * e * y * area) b) env[i, j]
  let coef = reduce_comm (map2 (map2 (+))) (replicate 3 (replicate 9 0)) (flatten (tabulate_2d h w texel))
  let shade (p: [2]f32) =
    let z = 2 * p[0] - 1
    let s = f32.sqrt (f32.max 0 (1 - z * z))
    let b = map2 (*) band (basis (s * f32.cos (6.283185 * p[1])) (s * f32.sin (6.283185 * p[1])) z)
    in map (\l -> f32.max 0 (f32.sum (map2 (*) l b))) coef
  in (coef, map shade normals)
