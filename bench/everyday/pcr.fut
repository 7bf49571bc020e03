-- Tridiagonal systems in rows by parallel cyclic reduction.
type eq = (f32, f32, f32, f32)

def reduce_eq ((a, b, c, d): eq) ((la, lb, lc, ld): eq) ((ra, rb, rc, rd): eq) : eq =
  let k1 = a / lb
  let k2 = c / rb
  in (-la * k1, b - lc * k1 - ra * k2, -rc * k2, d - ld * k1 - rd * k2)

def solve [n] (eqs: [n]eq) : [n]f32 =
  let none : eq = (0, 1, 0, 0)
  let (done, _) = loop (e, s) = (eqs, 1) while s < n do
    let e' = map (\i ->
      let l = if i - s >= 0 then e[i - s] else none
      let r = if i + s < n then e[i + s] else none
      in reduce_eq e[i] l r) (iota n)
    in (e', 2 * s)
  in map (\(_, b, _, d) -> d / b) done

entry main [k][n] (a: [k][n]f32) (c: [k][n]f32) (d: [k][n]f32) : [k][n]f32 =
  map3 (\a c d ->
    let row i a c d : eq = (if i == 0 then 0 else -a, 2.5, if i == n - 1 then 0 else -c, d)
    in solve (map4 row (iota n) a c d)) a c d
