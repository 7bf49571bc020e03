-- Molecular dynamics with cell lists: particles radix-sorted by cell, soft pair forces with the 27 cells about, one leapfrog step each.
module vec3 = {
  type t = (f32, f32, f32)
  def zero : t = (0, 0, 0)
  def (a: t) + (b: t) : t = (a.0 f32.+ b.0, a.1 f32.+ b.1, a.2 f32.+ b.2)
  def scale (s: f32) (a: t) : t = (s * a.0, s * a.1, s * a.2)
  def map (f: f32 -> f32) (a: t) : t = (f a.0, f a.1, f a.2)
  def norm2 (a: t) : f32 = a.0 * a.0 f32.+ a.1 * a.1 f32.+ a.2 * a.2
}
type vec = vec3.t

def radix_order [n] (bits: i64) (keys: [n]i32) : [n]i64 =
  let split (ix: [n]i64) (b: i64) : [n]i64 =
    let bit = map (\i -> i64.i32 ((keys[i] >> i32.i64 b) & 1)) ix
    let ones = scan (+) 0 bit
    let zeros = n - (if n > 0 then ones[n - 1] else 0)
    let dest = map3 (\i d o -> if d == 1 then zeros + o - 1 else i - o) (iota n) bit ones
    in scatter (replicate n 0) dest ix
  in loop ix = iota n for b < bits do split ix b

entry main [n] (g: i64) (bits: i64) (dt: f32) (steps: i64) (x: [n]f32) (y: [n]f32) (z: [n]f32) =
  let gf = f32.i64 g
  let wrap a = a - f32.floor a
  let clampi i = i64.max 0 (i64.min (g - 1) i)
  let coord a = clampi (i64.f32 (a * gf))
  let cell_of (p: vec) = (coord p.0 * g + coord p.1) * g + coord p.2
  let nearest d = d - f32.round d
  let step (pos: [n]vec, vel: [n]vec) =
    let order = radix_order bits (map (i32.i64 <-< cell_of) pos)
    let pos = map (\i -> pos[i]) order
    let vel = map (\i -> vel[i]) order
    let counts = reduce_by_index (replicate (g * g * g) 0i64) (+) 0 (map cell_of pos) (replicate n 1)
    let ends = scan (+) 0 counts
    let force (p: vec) =
      let (cx, cy, cz) = (coord p.0, coord p.1, coord p.2)
      in loop f = vec3.zero for k < 27 do
           let at c d = (c + d - 1 + g) % g
           let c = (at cx (k / 9) * g + at cy (k / 3 % 3)) * g + at cz (k % 3)
           in loop f for j in (ends[c] - counts[c])..<ends[c] do
                let q = pos[j]
                let d = vec3.map nearest (p.0 - q.0, p.1 - q.1, p.2 - q.2)
                let r2 = vec3.norm2 d * gf * gf
                in if r2 >= 1 then f else f vec3.+ vec3.scale ((1 - r2) * (1 - r2)) d
    let vel = map2 (\v p -> v vec3.+ vec3.scale dt (force p)) vel pos
    let pos = map2 (\p v -> vec3.map wrap (p vec3.+ vec3.scale dt v)) pos vel
    in (pos, vel)
  let (_, vel) = loop s = (zip3 x y z, replicate n vec3.zero) for _s < steps do step s
  let (vx, vy, vz) = reduce (vec3.+) vec3.zero (map (\(v: vec) -> vec3.map f32.abs v) vel)
  let speed = map (f32.sqrt <-< vec3.norm2) vel
  in (vx, vy, vz, f32.sum speed / f32.i64 n, f32.maximum speed)
