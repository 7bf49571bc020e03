-- Direct volume rendering: orthographic rays through a turned volume, trilinear samples, a transfer function, shading by the gradient, front to back until opaque.
module vec = {
  type t = { x: f32, y: f32, z: f32 }
  def v x y z : t = { x, y, z }
  def (a: t) + (b: t) = v (a.x + b.x) (a.y + b.y) (a.z + b.z)
  def scale (k: f32) (a: t) = v (k * a.x) (k * a.y) (k * a.z)
  def dot (a: t) (b: t) = a.x * b.x f32.+ a.y * b.y f32.+ a.z * b.z
}

def sample [d][h][w] (vol: [d][h][w]f32) (p: vec.t): f32 =
  let inside = p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= f32.i64 (w-1) && p.y <= f32.i64 (h-1) && p.z <= f32.i64 (d-1)
  let cl n a = i64.max 0 (i64.min (n-2) (i64.f32 a))
  let (k, j, i) = (cl d p.z, cl h p.y, cl w p.x)
  let (tz, ty, tx) = (p.z - f32.i64 k, p.y - f32.i64 j, p.x - f32.i64 i)
  let edge k j = (1 - tx) * vol[k, j, i] + tx * vol[k, j, i+1]
  in if inside then (1-tz) * ((1-ty) * edge k j + ty * edge k (j+1)) + tz * ((1-ty) * edge (k+1) j + ty * edge (k+1) (j+1))
     else 0

entry main [d][h][w] (ph: i64) (pw: i64) (turn: f32) (vol: [d][h][w]f32): [ph][pw][4]f32 =
  let (c, s) = (f32.cos turn, f32.sin turn)
  let dir = vec.v s (0.3 * c) (0.954 * c)
  let right = vec.v c 0 (-s)
  let centre = vec.v (f32.i64 w / 2) (f32.i64 h / 2) (f32.i64 d / 2)
  let reach = 0.6 * f32.i64 (i64.max d (i64.max h w))
  let light = vec.v 0.5 (-0.7) (-0.5)
  let steps = 2 * i64.f32 reach
  let trace py px =
    let a = 2 * reach * (f32.i64 px + 0.5) / f32.i64 pw - reach
    let b = 2 * reach * (f32.i64 py + 0.5) / f32.i64 ph - reach
    let origin = centre vec.+ vec.scale a right vec.+ vec.v 0 b 0 vec.+ vec.scale (-reach) dir
    let (r, g, bl, t, _) =
      loop (r, g, bl, t, i) = (0, 0, 0, 1, 0) while i < steps && t > 1e-4 do
        let p = origin vec.+ vec.scale (f32.i64 i) dir
        let x = sample vol p
        let alpha = 0.06 * x * x
        let at dx dy dz = sample vol (p vec.+ vec.v dx dy dz)
        let n = vec.v (at 1 0 0 - at (-1) 0 0) (at 0 1 0 - at 0 (-1) 0) (at 0 0 1 - at 0 0 (-1))
        let shade = 0.4 + 0.6 * f32.max 0 (vec.dot n light) / f32.sqrt (vec.dot n n + 0.01)
        let k = t * alpha * shade
        in (r + k * x, g + k * (1 - (x - 0.5) * (x - 0.5)), bl + k * (1 - x), t * (1 - alpha), i + 1)
    in [r, g, bl, 1 - t]
  in tabulate_2d ph pw trace
