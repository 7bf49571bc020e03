-- Forward kinematics of many serial robot arms: a scan of rigid motions (unit quaternion, translation) per arm.
type quat = {w: f32, x: f32, y: f32, z: f32}
type rigid = (quat, (f32, f32, f32))

def qmul (a: quat) (b: quat) : quat =
  { w = a.w*b.w - a.x*b.x - a.y*b.y - a.z*b.z
  , x = a.w*b.x + a.x*b.w + a.y*b.z - a.z*b.y
  , y = a.w*b.y - a.x*b.z + a.y*b.w + a.z*b.x
  , z = a.w*b.z + a.x*b.y - a.y*b.x + a.z*b.w }

def rotate (q: quat) (x: f32, y: f32, z: f32) : (f32, f32, f32) =
  let p = qmul (qmul q {w=0, x, y, z}) {w=q.w, x= -q.x, y= -q.y, z= -q.z}
  in (p.x, p.y, p.z)

def compose ((q1, t1): rigid) ((q2, t2): rigid) : rigid =
  let (x, y, z) = rotate q1 t2
  in (qmul q1 q2, (t1.0 + x, t1.1 + y, t1.2 + z))

def identity : rigid = ({w=1, x=0, y=0, z=0}, (0, 0, 0))

def joint (i: i64) (a: f32) (len: f32) : rigid =
  let h = (a - 0.5) * f32.pi / 2
  let (s, c) = (f32.sin h, f32.cos h)
  let q : quat = if i % 3 == 0 then {w=c, x=0, y=0, z=s}
                 else if i % 3 == 1 then {w=c, x=s, y=0, z=0}
                 else {w=c, x=0, y=s, z=0}
  in (q, rotate q (0, 0, 0.1 + len))

def main [a][j] (angles: [a][j]f32) (lens: [j]f32) : ([a]f32, [a]f32) =
  unzip (map (\row ->
    let poses = scan compose identity (map3 joint (iota j) row lens)
    let reach = f32.maximum (map (\(_, (x, y, z)) -> f32.sqrt (x*x + y*y + z*z)) poses)
    let lowest = f32.minimum (map (\(_, (_, _, z)) -> z) poses)
    in (reach, lowest)) angles)
