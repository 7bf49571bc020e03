-- A few steps of conjugate gradients on the Hessian of softmax regression: forward mode over reverse mode.
def xent [k] (z: [k]f32) (c: i64) : f32 =
  let m = f32.maximum z
  in m + f32.log (f32.sum (map (\v -> f32.exp (v - m)) z)) - z[c]

def inner [k][d] (a: [k][d]f32) (b: [k][d]f32) = f32.sum (map2 (\p q -> f32.sum (map2 (*) p q)) a b)

def along [k][d] (t: f32) (a: [k][d]f32) (b: [k][d]f32) : [k][d]f32 = map2 (map2 (\p q -> t * p + q)) a b

entry main [n][d][k] (steps: i64) (damp: f32) (x: [n][d]f32) (labels: [n]u8) (w: [k][d]f32) : (f32, [k][d]f32) =
  let cs = map (\l -> i64.u8 l % k) labels
  let f (w: [k][d]f32) : f32 =
    f32.sum (map2 (\r c -> xent (map (\wr -> f32.sum (map2 (*) wr r)) w) c) x cs) / f32.i64 n
  let grad w = vjp f w 1f32
  let hess v = along damp v (jvp grad w v)
  let g = grad w
  let r0 = map (map f32.neg) g
  let zero = map (map (const 0f32)) w
  let (s, _, _, _) =
    loop (s, r, p, rr) = (zero, r0, r0, inner r0 r0) for _i < steps do
      let hp = hess p
      let a = rr / (inner p hp + 1e-20)
      let r' = along (-a) hp r
      let rr' = inner r' r'
      in (along a p s, r', along (rr' / (rr + 1e-20)) p r', rr')
  in (f (along 1 s w), s)
