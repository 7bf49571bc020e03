-- Many block tridiagonal systems with 3x3 blocks: elimination downwards, substitution upwards, residual.
type m3 = [3][3]f64
type v3 = [3]f64

def mv (a: m3) (x: v3) : v3 = map (\r -> r[0] * x[0] + r[1] * x[1] + r[2] * x[2]) a
def mm (a: m3) (b: m3) : m3 = tabulate_2d 3 3 (\i j -> a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j])
def msub (a: m3) (b: m3) : m3 = map2 (map2 (-)) a b
def vsub (a: v3) (b: v3) : v3 = map2 (-) a b

def inv (a: m3) : m3 =
  let c i j = let (p, q) = ((i + 1) % 3, (i + 2) % 3)
              let (r, s) = ((j + 1) % 3, (j + 2) % 3)
              in a[p, r] * a[q, s] - a[p, s] * a[q, r]
  let det = a[0, 0] * c 0 0 + a[0, 1] * c 0 1 + a[0, 2] * c 0 2
  in tabulate_2d 3 3 (\i j -> c j i / det)

def solve [n] (lo: [n]m3) (di: [n]m3) (up: [n]m3) (b: [n]v3) : [n]v3 =
  let cs = replicate n (replicate 3 (replicate 3 0))
  let ds = replicate n (replicate 3 0)
  let (cs, ds, _, _) =
    loop (cs, ds, c, d) = (cs, ds, replicate 3 (replicate 3 0), replicate 3 0) for i < n do
      let w = inv (msub di[i] (mm lo[i] c))
      let c = mm w up[i]
      let d = mv w (vsub b[i] (mv lo[i] d))
      in (cs with [i] = c, ds with [i] = d, c, d)
  let (xs, _) =
    loop (xs, x) = (copy ds, replicate 3 0) for k < n do
      let i = n - 1 - k
      let x = vsub ds[i] (mv cs[i] x)
      in (xs with [i] = x, x)
  in xs

entry main [s][n] (off: [s][n][3][3]f64) (b: [s][n][3]f64) : ([s][n][3]f64, [s]f64) =
  let up = map (map (map (map (\v -> v - 0.5)))) off
  let lo = map (map transpose) up
  let di = tabulate_2d s n (\q i -> tabulate_2d 3 3 (\r c -> off[q, i, c, r] + (if r == c then 5 else 0)))
  let x = map4 solve lo di up b
  let zero = replicate 3 0
  let residual = tabulate_2d s n (\q i ->
    let y = mv di[q, i] x[q, i]
    let a = mv lo[q, i] (if i > 0 then x[q, i - 1] else zero)
    let c = mv up[q, i] (if i < n - 1 then x[q, i + 1] else zero)
    in f64.maximum (map (\k -> f64.abs (y[k] + a[k] + c[k] - b[q, i, k])) (iota 3)))
  let small v = f64.i64 (i64.bool (v < 1e-9))
  in (x, map (\r -> small (f64.maximum r)) residual)
