-- Reflectance and transmittance spectra of a multilayer film: product of complex 2x2 characteristic matrices per wavelength.
type c = {re: f64, im: f64}
def (a: c) *! (b: c) : c = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
def (a: c) +! (b: c) : c = {re = a.re + b.re, im = a.im + b.im}
def norm2 (a: c) = a.re * a.re + a.im * a.im
type m2 = (c, c, c, c)

def mul ((a, b, c, d): m2) ((e, f, g, h): m2) : m2 =
  ((a *! e) +! (b *! g), (a *! f) +! (b *! h), (c *! e) +! (d *! g), (c *! f) +! (d *! h))
def one : m2 = let o = {re = 1, im = 0} let z = {re = 0, im = 0} in (o, z, z, o)

def layer (k: f64) (n: f64) (thick: f64) : m2 =
  let delta = k * n * thick
  let (cs, sn) = (f64.cos delta, f64.sin delta)
  in ({re = cs, im = 0}, {re = 0, im = sn / n}, {re = 0, im = sn * n}, {re = cs, im = 0})

def main [l] (waves: i64) (index: [l]f32) (thick: [l]f32) =
  let idx = map (\v -> 1.38 + 0.9 * f64.f32 v) index
  let thk = map (\v -> 40 + 120 * f64.f32 v) thick
  let n0 = 1f64
  let ns = 1.52f64
  let spectrum = tabulate waves (\j ->
    let lam = 380 + 400 * (f64.i64 j + 0.5) / f64.i64 waves
    let (a, b, c, d) = reduce mul one (map2 (layer (2 * f64.pi / lam)) idx thk)
    let scale s x : c = {re = s * x.re, im = s * x.im}
    let bb = a +! scale ns b
    let cc = c +! scale ns d
    let num = scale n0 bb +! scale (-1) cc
    let den = scale n0 bb +! cc
    let r = norm2 num / norm2 den
    let t = 4 * n0 * ns / norm2 den
    in (r, t))
  let (rs, ts) = unzip spectrum
  in (rs, ts, f64.sum rs / f64.i64 waves, f64.maximum ts)
