-- An arithmetic Asian option by Monte Carlo with the geometric one as control variate, and a splitmix generator of its own.
type rng = u64

def next (s: rng) : (rng, f32) =
  let s = s + 0x9e3779b97f4a7c15
  let z = (s ^ (s >> 30)) * 0xbf58476d1ce4e5b9
  let z = (z ^ (z >> 27)) * 0x94d049bb133111eb
  let z = z ^ (z >> 31)
  in (s, (f32.u64 (z >> 40) + 0.5) / 16777216)

def normals (s: rng) : (rng, f32, f32) =
  let (s, a) = next s
  let (s, b) = next s
  let r = f32.sqrt (-2 * f32.log a)
  in (s, r * f32.cos (2 * f32.pi * b), r * f32.sin (2 * f32.pi * b))

type moments = {x: f64, y: f64, xx: f64, yy: f64, xy: f64}

def add (a: moments) (b: moments) : moments =
  {x = a.x + b.x, y = a.y + b.y, xx = a.xx + b.xx, yy = a.yy + b.yy, xy = a.xy + b.xy}

entry main (n: i64) (half_steps: i64) (s0: f32) (strike: f32) (vol: f32) : (f64, f64, f64, f64) =
  let steps = 2 * half_steps
  let dt = 1 / f32.i64 steps
  let drift = (0.03 - 0.5 * vol * vol) * dt
  let sd = vol * f32.sqrt dt
  let path (i: i64) : moments =
    let (_, _, sum, logs) =
      loop (rng, l, sum, logs) = (u64.i64 i * 0x2545f4914f6cdd1d, f32.log s0, 0, 0) for _j < half_steps do
        let (rng, z1, z2) = normals rng
        let l1 = l + drift + sd * z1
        let l2 = l1 + drift + sd * z2
        in (rng, l2, sum + f32.exp l1 + f32.exp l2, logs + l1 + l2)
    let x = f64.f32 (f32.max 0 (sum / f32.i64 steps - strike))
    let y = f64.f32 (f32.max 0 (f32.exp (logs / f32.i64 steps) - strike))
    in {x, y, xx = x * x, yy = y * y, xy = x * y}
  let m = reduce add {x = 0, y = 0, xx = 0, yy = 0, xy = 0} (map path (iota n))
  let k = f64.i64 n
  let cov = m.xy / k - m.x / k * (m.y / k)
  let var = m.yy / k - m.y / k * (m.y / k)
  let beta = cov / (var + 1e-9)
  in (m.x / k, m.y / k, beta, m.xx / k - m.x / k * (m.x / k) - beta * cov)
