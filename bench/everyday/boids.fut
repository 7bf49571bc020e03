-- A flock with smooth weights: each boid feels the separation, alignment and cohesion of all others, speed held near one; 3-D, structure of arrays, order parameter per step.
type v3 = {x: f32, y: f32, z: f32}
def map3v (f: f32 -> f32) (a: v3): v3 = {x = f a.x, y = f a.y, z = f a.z}
def add (a: v3) (b: v3): v3 = {x = a.x+b.x, y = a.y+b.y, z = a.z+b.z}
def scale (k: f32) = map3v (k *)
def sub a b = add a (scale (-1) b)
def dot (a: v3) (b: v3) = a.x*b.x + a.y*b.y + a.z*b.z
def zero: v3 = {x = 0, y = 0, z = 0}

entry main [n] (steps: i64) (r: f32) (pos: [n][3]f32) (vel: [n][3]f32): ([n][3]f32, [steps]f32) =
  let vec (a: [3]f32): v3 = {x = a[0], y = a[1], z = a[2]}
  let ps = map vec pos
  let vs = map (vec >-> map3v (\a -> a - 0.4)) vel
  let (ps, _, order) =
    loop (ps, vs, order) = (ps, vs, replicate steps 0) for i < steps do
      let force = map2 (\p v ->
        let (sep, ali, coh, total) =
          reduce_comm (\(a, b, c, d) (e, f, g, h) -> (add a e, add b f, add c g, d + h)) (zero, zero, zero, 0)
            (map2 (\q u ->
               let d = sub q p
               let w = f32.exp (-(dot d d) / (r*r))
               in (scale (-w*w) d, scale w (sub u v), scale w d, w)) ps vs)
        let k = 1 / (total + 1)
        in add (scale (2*k) sep) (add (scale k ali) (scale (0.5*k) coh))) ps vs
      let vs = map2 (\v f ->
        let v = add v (scale 0.1 f)
        in scale ((1 + 0.1 * (1 - dot v v))) v) vs force
      let ps = map2 (\p v -> add p (scale 0.02 v)) ps vs
      let mean = reduce add zero vs
      in (ps, vs, order with [i] = f32.sqrt (dot mean mean) / f32.i64 n)
  in (map (\p -> [p.x, p.y, p.z]) ps, order)
