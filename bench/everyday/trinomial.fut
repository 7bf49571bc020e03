-- American options on a trinomial lattice, one per element; puts and calls are told apart by a sum type.
type kind = #put | #call

def payoff (k: kind) (strike: f32) (s: f32) : f32 =
  match k
  case #put -> f32.max 0 (strike - s)
  case #call -> f32.max 0 (s - strike)

def price (steps: i64) (k: kind) (strike: f32) (vol: f32) : f32 =
  let r = 0.03f32
  let dt = 1 / f32.i64 steps
  let up = f32.exp (vol * f32.sqrt (2 * dt))
  let a = f32.exp (r * dt / 2)
  let b = f32.exp (vol * f32.sqrt (dt / 2))
  let pu = ((a - 1 / b) / (b - 1 / b)) ** 2
  let pd = ((b - a) / (b - 1 / b)) ** 2
  let pm = 1 - pu - pd
  let disc = f32.exp (-r * dt)
  let width = 2 * steps + 1
  let spot (level: i64) (j: i64) = up ** f32.i64 (j - level)
  let leaves = tabulate width (\j -> payoff k strike (spot steps j))
  let v =
    loop v = leaves for i < steps do
      let level = steps - 1 - i
      in loop v for j < 2 * level + 1 do
           let hold = disc * (pd * v[j] + pm * v[j + 1] + pu * v[j + 2])
           in v with [j] = f32.max hold (payoff k strike (spot level j))
  in v[0]

entry main [n] (steps: i64) (is_put: [n]bool) (strikes: [n]f32) (vols: [n]f32) : ([n]f32, f32) =
  let ps = map3 (\p s v -> price steps (if p then #put else #call) (0.8 + 0.4 * s) (0.2 + 0.3 * v)) is_put strikes vols
  in (ps, f32.sum ps / f32.i64 n)
