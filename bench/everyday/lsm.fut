-- An American put by least squares Monte Carlo: backward over dates, a small regression at each.
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def uniform (a: i64) (b: i64) : f64 = (f64.u32 (mix (mix (u32.i64 a) + 0x9e3779b9 * u32.i64 (b + 1))) + 0.5) / 4294967296

def normal (a: i64) (b: i64) : f64 =
  f64.sqrt (-2 * f64.log (uniform a (2 * b))) * f64.cos (2 * f64.pi * uniform a (2 * b + 1))

type sums = {s0: f64, s1: f64, s2: f64, s3: f64, s4: f64, b0: f64, b1: f64, b2: f64}

def plus (a: sums) (b: sums) : sums =
  {s0 = a.s0 + b.s0, s1 = a.s1 + b.s1, s2 = a.s2 + b.s2, s3 = a.s3 + b.s3, s4 = a.s4 + b.s4,
   b0 = a.b0 + b.b0, b1 = a.b1 + b.b1, b2 = a.b2 + b.b2}

def fit (m: sums) : (f64, f64, f64) =
  let (a, b, c, d, e, f) = (m.s0 + 1e-3, m.s1, m.s2, m.s2 + 1e-3, m.s3, m.s4 + 1e-3)
  let det = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c)
  let x = m.b0 * (d * f - e * e) - b * (m.b1 * f - e * m.b2) + c * (m.b1 * e - d * m.b2)
  let y = a * (m.b1 * f - e * m.b2) - m.b0 * (b * f - e * c) + c * (b * m.b2 - m.b1 * c)
  let z = a * (d * m.b2 - m.b1 * e) - b * (b * m.b2 - m.b1 * c) + m.b0 * (b * e - d * c)
  in (x / det, y / det, z / det)

entry main (n: i64) (dates: i64) (strike: f64) (vol: f64) (rate: f64) : (f64, f64) =
  let dt = 1 / f64.i64 dates
  let drift = (rate - 0.5 * vol * vol) * dt
  let walk i = scan (+) 0 (map (\t -> drift + vol * f64.sqrt dt * normal i t) (iota dates))
  let spots = transpose (map (\i -> map f64.exp (walk i)) (iota n))
  let pay (s: f64) = f64.max 0 (strike - s)
  let disc = f64.exp (-rate * dt)
  let cash0 = map pay spots[dates - 1]
  let cash = loop cash = cash0 for k < dates - 1 do
    let s = spots[dates - 2 - k]
    let cash = map (* disc) cash
    let term x c : sums =
      if pay x > 0 then let q = x * x in {s0 = 1, s1 = x, s2 = q, s3 = q * x, s4 = q * q, b0 = c, b1 = c * x, b2 = c * q}
      else {s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, b0 = 0, b1 = 0, b2 = 0}
    let zero : sums = {s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, b0 = 0, b1 = 0, b2 = 0}
    let (x, y, z) = fit (reduce plus zero (map2 term s cash))
    in map2 (\v c -> let now = pay v in if now > 0 && now > x + v * (y + v * z) then now else c) s cash
  let american = disc * f64.sum cash / f64.i64 n
  let european = f64.exp (-rate) * f64.sum cash0 / f64.i64 n
  in (american, european)
