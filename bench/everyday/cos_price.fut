-- European puts under Merton's jump diffusion by the Fourier-cosine (COS) method, and calls by parity.
type model = {sigma: f64, lambda: f64, mu: f64, delta: f64, r: f64}

-- Real part of phi(u) exp(i u shift) for the log return over t.
def char_re (p: model) (t: f64) (u: f64) (shift: f64) : f64 =
  let comp = p.lambda * (f64.exp (p.mu + 0.5 * p.delta * p.delta) - 1)
  let drift = (p.r - comp - 0.5 * p.sigma * p.sigma) * t
  let jmag = f64.exp (-0.5 * p.delta * p.delta * u * u)
  let re = -0.5 * p.sigma * p.sigma * u * u * t + p.lambda * t * (jmag * f64.cos (u * p.mu) - 1)
  let im = u * drift + p.lambda * t * jmag * f64.sin (u * p.mu)
  in f64.exp re * f64.cos (im + u * shift)

def put (terms: i64) (p: model) (s: f64) (k: f64) (t: f64) : f64 =
  let sd = f64.sqrt ((p.sigma ** 2 + p.lambda * (p.mu ** 2 + p.delta ** 2)) * t)
  let (a, b) = (-8 * sd - 0.2, 8 * sd + 0.2)
  let x = f64.log (s / k)
  let term (n: i64) =
    let u = f64.i64 n * f64.pi / (b - a)
    let (cosn, sinn) = (f64.cos (-u * a), f64.sin (-u * a))
    let chi = (cosn - f64.exp a + u * sinn) / (1 + u * u)
    let psi = if n == 0 then -a else sinn / u
    let v = 2 / (b - a) * (psi - chi)
    in char_re p t u (x - a) * v * (if n == 0 then 0.5 else 1)
  in k * f64.exp (-p.r * t) * f64.sum (tabulate terms term)

def main [n] (terms: i64) (strikes: [n]f32) (times: [n]f32) : ([n]f32, [n]f32) =
  let p : model = {sigma = 0.2, lambda = 0.6, mu = -0.1, delta = 0.15, r = 0.02}
  in unzip (map2 (\ks ts ->
       let k = 80 + 40 * f64.f32 ks
       let t = 0.1 + 1.9 * f64.f32 ts
       let v = put terms p 100 k t
       in (f32.f64 v, f32.f64 (v + 100 - k * f64.exp (-p.r * t)))) strikes times)
