-- Many satellites on Kepler orbits: Newton solution of the anomaly in f64, turned to the rotating Earth, density on a latitude-longitude grid.
module vec3 = {
  type t = {x: f64, y: f64, z: f64}
  def rot_z (a: f64) (v: t) : t = {x = f64.cos a * v.x - f64.sin a * v.y, y = f64.sin a * v.x + f64.cos a * v.y, z = v.z}
  def rot_x (a: f64) (v: t) : t = {x = v.x, y = f64.cos a * v.y - f64.sin a * v.z, z = f64.sin a * v.y + f64.cos a * v.z}
  def norm (v: t) = f64.sqrt (v.x * v.x + v.y * v.y + v.z * v.z)
}

def eccentric (e: f64) (m: f64) : (f64, i32) =
  let (x, _, k) =
    loop (x, d, k) = (if e < 0.8 then m else f64.pi, 1, 0) while f64.abs d > 1e-11 && k < 30 do
      let d = (x - e * f64.sin x - m) / (1 - e * f64.cos x)
      in (x - d, d, k + 1)
  in (x, k)

def main [n] (steps: i64) (rows: i64) (cols: i64) (elems: [n][6]f32) =
  let earth = 7.2921159e-5f64
  let orbit (q: [6]f32) (k: i64) =
    let a = 6800 + 36000 * f64.f32 q[0] * f64.f32 q[0]
    let e = f64.min (0.7 * f64.f32 q[1]) (1 - 6500 / a)
    let mean_motion = f64.sqrt (398600.4418 / (a * a * a))
    let t = 60 * f64.i64 k
    let m0 = 2 * f64.pi * f64.f32 q[5] + mean_motion * t
    let m = m0 - 2 * f64.pi * f64.floor (m0 / (2 * f64.pi))
    let (x, _) = eccentric e m
    let plane = {x = a * (f64.cos x - e), y = a * f64.sqrt (1 - e * e) * f64.sin x, z = 0}
    let v = plane |> vec3.rot_z (2 * f64.pi * f64.f32 q[4]) |> vec3.rot_x (1.7 * f64.f32 q[2])
                  |> vec3.rot_z (2 * f64.pi * f64.f32 q[3] - earth * t)
    let r = vec3.norm v
    in (f64.asin (f64.max (-1) (f64.min 1 (v.z / r))), f64.atan2 v.y v.x, r - 6371)
  let track = map (\q -> tabulate steps (orbit q)) elems
  let cell (lat, lon, _) =
    let i = i64.f64 ((lat / f64.pi + 0.5) * f64.i64 rows)
    let j = i64.f64 ((lon / (2 * f64.pi) + 0.5) * f64.i64 cols)
    in i64.min (rows - 1) (i64.max 0 i) * cols + i64.min (cols - 1) (i64.max 0 j)
  let density = reduce_by_index (replicate (rows * cols) 0i32) (+) 0 (map cell (flatten track)) (replicate (n * steps) 1)
  let low = map (\tr -> f64.minimum (map (.2) tr)) track
  let high = map (\tr -> f64.maximum (map (\(_, _, h) -> h) tr)) track
  let weight = map (\i -> f32.cos (f32.pi * ((f32.i64 i + 0.5) / f32.i64 rows - 0.5))) (iota rows)
  let per_area = map2 (\w row -> map (\c -> f32.i32 c / w) row) weight (unflatten density)
  in (per_area, low, high)
