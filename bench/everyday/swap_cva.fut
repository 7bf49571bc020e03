-- Credit valuation of a swap book: short-rate paths (own generator), revaluation on each date, exposure profile and CVA.
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x85ebca6b
  let x = (x ^ (x >> 13)) * 0xc2b2ae35
  in x ^ (x >> 16)

def normal (path: i64) (step: i64) : f32 =
  let k = u32.i64 path * 747796405 + u32.i64 step * 2891336453
  let u = (f32.u32 (mix k >> 8) + 0.5) / 16777216
  let v = f32.u32 (mix (k ^ 0x5bd1e995) >> 8) / 16777216
  in f32.sqrt (-2 * f32.log u) * f32.cos (2 * f32.pi * v)

type vasicek = {kappa: f32, mean: f32, sigma: f32, r0: f32}

-- Price of a zero-coupon bond at short rate r, time to maturity t.
def bond (m: vasicek) (r: f32) (t: f32) : f32 =
  let b = (1 - f32.exp (-m.kappa * t)) / m.kappa
  let s2 = m.sigma * m.sigma
  let a = (m.mean - s2 / (2 * m.kappa * m.kappa)) * (b - t) - s2 * b * b / (4 * m.kappa)
  in f32.exp (a - b * r)

type swap = {notional: f32, fixed: f32, maturity: f32}

-- Payer swap with half-yearly coupons, value at time now.
def value (m: vasicek) (r: f32) (now: f32) (s: swap) : f32 =
  let left = s.maturity - now
  in if left <= 0.01 then 0
     else let n = i32.f32 (f32.ceil (2 * left - 0.02))
          let annuity = loop acc = 0 for k < n do acc + 0.5 * bond m r (left - 0.5 * f32.i32 k)
          in s.notional * (1 - bond m r left - s.fixed * annuity)

def path_exposure [q] (m: vasicek) (steps: i64) (dt: f32) (book: [q]swap) (path: i64) : [steps]f32 =
  let decay = f32.exp (-m.kappa * dt)
  let sd = m.sigma * f32.sqrt ((1 - decay * decay) / (2 * m.kappa))
  let rates = replicate steps 0
  let (rates, _) =
    loop (rates, r) = (rates, m.r0) for t < steps do
      let r' = m.mean + (r - m.mean) * decay + sd * normal path t
      in (rates with [t] = r', r')
  in map2 (\t r -> f32.max 0 (f32.sum (map (value m r (dt * f32.i64 (t + 1))) book))) (iota steps) rates

entry main [q] (paths: i64) (steps: i64) (spread: f32) (terms: [q][3]f32) : (f32, [steps]f32, [steps]f32) =
  let m = {kappa = 0.3, mean = 0.03, sigma = 0.012, r0 = 0.025}: vasicek
  let dt = 0.25f32
  let book = map (\x -> {notional = x[0] - 0.3, fixed = 0.02 + 0.02 * x[1],
                         maturity = 0.5 * f32.floor (2 + x[2] * 0.5 * f32.i64 steps)}: swap) terms
  let e = map (path_exposure m steps dt book) (iota paths)
  let profile = map (\c -> f32.sum c / f32.i64 paths) (transpose e)
  let second = map (\c -> f32.sqrt (f32.sum (map (\v -> v * v) c) / f32.i64 paths)) (transpose e)
  let hazard = spread / 0.6
  let loss t ee =
    let (t0, t1) = (dt * f32.i64 t, dt * f32.i64 (t + 1))
    in 0.6 * bond m m.r0 t1 * ee * (f32.exp (-hazard * t0) - f32.exp (-hazard * t1))
  in (f32.sum (map2 loss (iota steps) profile), profile, second)
