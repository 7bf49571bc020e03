-- Segmented scan of affine maps of the plane (2x2 matrix and shift): the state of a forced, damped oscillator along irregular segments, with each segment's peak.
type affine = {a: f32, b: f32, c: f32, d: f32, u: f32, v: f32}

def identity : affine = {a = 1, b = 0, c = 0, d = 1, u = 0, v = 0}

-- first f, then g
def after (f: affine) (g: affine) : affine =
  {a = g.a * f.a + g.b * f.c, b = g.a * f.b + g.b * f.d,
   c = g.c * f.a + g.d * f.c, d = g.c * f.b + g.d * f.d,
   u = g.a * f.u + g.b * f.v + g.u, v = g.c * f.u + g.d * f.v + g.v}

def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  let (_, ys) =
    unzip (scan (\(f, x) (g, y) -> (f || g, if g then y else op x y)) (false, ne) (zip flags xs))
  in ys

entry main [n] (dt: f32) (marks: [n]u8) (damping: [n]f32) (force: [n]f32) : ([n]f32, [n]f32, []f32, i64) =
  let flags = map2 (\i m -> i == 0 || m < 4) (iota n) marks
  let steps =
    map2 (\g f ->
            -- semi-implicit Euler: velocity first, position with the new velocity
            let k = 1 - dt * (0.2 + g)
            in {a = 1 - dt * dt, b = dt * k, c = -dt, d = k, u = dt * dt * (f - 0.5), v = dt * (f - 0.5)})
         damping force
  let maps = segmented_scan after identity flags steps
  let x = map (\m -> m.a * 1 + m.u) maps
  let v = map (\m -> m.c * 1 + m.v) maps
  let segment = map (\s -> s - 1) (scan (+) 0 (map i64.bool flags))
  let k = 1 + last segment
  let peak = reduce_by_index (replicate k 0f32) f32.max 0 segment (map f32.abs x)
  in (x, v, peak, k)
