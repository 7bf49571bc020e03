-- Vectors of a record turned by quaternions.
type v3 = {x: f32, y: f32, z: f32}
def cross (a: v3) (b: v3) : v3 = {x = a.y*b.z - a.z*b.y, y = a.z*b.x - a.x*b.z, z = a.x*b.y - a.y*b.x}
def main [n] (qs: [n][4]f32) (ps: [n][3]f32) : [n][3]f32 =
  map2 (\q p ->
    let u = {x = q[0], y = q[1], z = q[2]} let s = q[3]
    let v = {x = p[0], y = p[1], z = p[2]}
    let t = cross u v
    let t = {x = 2*t.x, y = 2*t.y, z = 2*t.z}
    let c = cross u t
    in [v.x + s*t.x + c.x, v.y + s*t.y + c.y, v.z + s*t.z + c.z]) qs ps
