-- Areas of many triangles clipped to a window, by cutting a small polygon with one side after the other.
type pt = (f32, f32)
type poly = {n: i64, p: [8]pt}

-- The side's signed distance: inside is positive.
def side (s: i64) (lo: f32) (hi: f32) ((x, y): pt) : f32 =
  if s == 0 then x - lo else if s == 1 then hi - x else if s == 2 then y - lo else hi - y

def cut (dist: pt -> f32) (q: poly) : poly =
  let (n, out) = loop (n, out) = (0i64, replicate 8 (0, 0)) for i < q.n do
    let a = q.p[i]
    let b = q.p[if i + 1 == q.n then 0 else i + 1]
    let (da, db) = (dist a, dist b)
    let (n, out) = if da >= 0 then (n + 1, out with [n] = copy a) else (n, out)
    in if (da >= 0) != (db >= 0)
       then let t = da / (da - db)
            in (n + 1, out with [n] = (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)))
       else (n, out)
  in {n, p = out}

def area (q: poly) : f32 =
  0.5 * f32.abs (loop s = 0 for i < q.n do
    let (x, y) = q.p[i]
    let (z, w) = q.p[if i + 1 == q.n then 0 else i + 1]
    in s + x * w - z * y)

entry main [n] (lo: f32) (hi: f32) (tri: [n][3][2]f32) : ([n]f32, f64) =
  let one (t: [3][2]f32) : f32 =
    let q : poly = {n = 3, p = tabulate 8 (\i -> if i < 3 then (t[i, 0], t[i, 1]) else (0, 0))}
    in area (loop q for s < 4 do cut (side s lo hi) q)
  let as = map one tri
  in (as, f64.sum (map f64.f32 as))
