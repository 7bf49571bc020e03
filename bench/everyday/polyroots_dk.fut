-- All complex roots of many monic polynomials by the Durand-Kerner iteration; root moments and the worst residual.
module complex = {
  type t = {re: f64, im: f64}
  def mk (re: f64) (im: f64) : t = {re, im}
  def (a: t) + (b: t) : t = {re = a.re f64.+ b.re, im = a.im f64.+ b.im}
  def (a: t) - (b: t) : t = {re = a.re f64.- b.re, im = a.im f64.- b.im}
  def (a: t) * (b: t) : t =
    {re = (a.re f64.* b.re) f64.- (a.im f64.* b.im), im = (a.re f64.* b.im) f64.+ (a.im f64.* b.re)}
  def norm2 (a: t) = (a.re f64.* a.re) f64.+ (a.im f64.* a.im)
  def (a: t) / (b: t) : t =
    let d = norm2 b
    in {re = ((a.re f64.* b.re) f64.+ (a.im f64.* b.im)) f64./ d,
        im = ((a.im f64.* b.re) f64.- (a.re f64.* b.im)) f64./ d}
}

def eval [d] (cs: [d]f64) (z: complex.t) : complex.t =
  loop s = complex.mk 1 0 for c in cs do (s complex.* z) complex.+ complex.mk c 0

def roots [d] (iters: i32) (cs: [d]f64) : [d]complex.t =
  let start =
    tabulate d (\i ->
                  let a = 2 * f64.pi * (f64.i64 i + 0.25) / f64.i64 d
                  in complex.mk (0.9 * f64.cos a) (0.9 * f64.sin a))
  in loop zs = start for _i < iters do
       map2 (\i z ->
               let den =
                 loop p = complex.mk 1 0 for j < d do
                   if j == i then p else p complex.* (z complex.- zs[j])
               in if complex.norm2 den < 1e-200 then z
                  else z complex.- (eval cs z complex./ den))
            (iota d) zs

def main [n] [d] (iters: i32) (coefs: [n][d]f64) : ([n]f64, [n]f64, f64) =
  let coefs = map (map (\c -> c * 2 - 1)) coefs
  let all = map (roots iters) coefs
  let sums = map (\zs -> f64.sum (map (.re) zs)) all
  let worst =
    map2 (\cs zs -> f64.maximum (map (\z -> complex.norm2 (eval cs z)) zs)) coefs all
  let mods =
    map2 (\zs w -> if w < 1e-9 then f64.product (map (\z -> f64.sqrt (complex.norm2 z)) zs) else 0) all worst
  in (sums, mods, f64.sum (map (\w -> if w < 1e-9 then 1 else 0) worst) / f64.i64 n)
