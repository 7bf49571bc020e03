-- Quenching of round bars in double precision: heat in the (r, z) plane with conductivity by temperature, Robin's condition at the surface; the axis logged, a batch of bars.
def conductivity (t: f64): f64 = 0.1 * (1 + 0.5*t)

def flow (a: f64) (b: f64): f64 = 0.5 * (conductivity a + conductivity b) * (b - a)

def quench [nr][nz] (steps: i64) (film: f64) (t0: [nr][nz]f64): ([nr][nz]f64, [steps]f64) =
  loop (t, log) = (t0, replicate steps 0) for k < steps do
    let next = map (\i ->
      map (\j ->
        let c = t[i, j]
        let r = f64.i64 i + 0.5
        let inward = if i == 0 then 0 else flow c t[i-1, j] * (r - 0.5) / r
        let outward = (if i == nr-1 then -film * c else flow c t[i+1, j]) * (r + 0.5) / r
        let up = if j == 0 then -film * c else flow c t[i, j-1]
        let down = if j == nz-1 then -film * c else flow c t[i, j+1]
        in c + inward + outward + up + down) (iota nz)) (iota nr)
    in (next, log with [k] = f64.sum next[0] / f64.i64 nz)

entry main [n][nr][nz] (steps: i64) (film: [n]f64) (bars: [n][nr][nz]f64): ([n][nr][nz]f64, [n][steps]f64) =
  unzip (map2 (\f b -> quench steps (0.05 * f) b) film bars)
