-- Implied volatilities by safeguarded Newton steps, the vega by forward-mode differentiation.
module type real = { type t val cdf : t -> t }
module normal : (real with t = f64) = {
  type t = f64
  def cdf (x: t) : t = 0.5 * (1 + f64.erf (x / f64.sqrt 2))
}

def call (s: f64) (k: f64) (t: f64) (r: f64) (vol: f64) : f64 =
  let sd = vol * f64.sqrt t
  let d1 = (f64.log (s / k) + (r + 0.5 * vol * vol) * t) / sd
  in s * normal.cdf d1 - k * f64.exp (-r * t) * normal.cdf (d1 - sd)

def solve (iters: i64) (price: f64) (f: f64 -> f64) : f64 =
  let (_, _, x) =
    loop (lo, hi, x) = (0.01, 1.5, 0.3) for _i < iters do
      let (p, vega) = jvp2 f x 1
      let (lo, hi) = if p < price then (x, hi) else (lo, x)
      let newton = x - (p - price) / f64.max 1e-9 vega
      in (lo, hi, if newton > lo - 1e-9 && newton < hi + 1e-9 then newton else (lo + hi) / 2)
  in x

entry main [n] (iters: i64) (rate: f32) (ms: [n]f64) (ts: [n]f64) (vols: [n]f64) : ([n]f64, [n]f64, f64) =
  let r = f64.f32 rate
  let one m t v =
    let k = 100f64
    let s = k * (0.85 + 0.3 * m)
    let t = 0.5 + t
    let true_vol = 0.15 + 0.5 * v
    let price = call s k t r true_vol
    let x = solve iters price (call s k t r)
    in (x, price, f64.abs (x - true_vol))
  let (xs, ps, errs) = unzip3 (map3 one ms ts vols)
  in (xs, ps, reduce f64.max 0 (map (\e -> if e < 1e-6 then 0 else e) errs))
