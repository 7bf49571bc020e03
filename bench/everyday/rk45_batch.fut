-- Lotka-Volterra systems with individual parameters, each by adaptive Dormand-Prince 5(4) steps of its own size until the end time.
type s = (f64, f64)
def ax (h: f64) ((a, b): s) ((x, y): s) : s = (x + h * a, y + h * b)
def field (al: f64) (be: f64) ((x, y): s) : s = (al * x - x * y, be * x * y - y)

def lin [n] (h: f64) (c: [n]f64) (k: [n]s) (y: s) : s = loop y for i < n do ax (h * c[i]) k[i] y

def step (f: s -> s) (h: f64) (y: s) : (s, f64) =
  let k1 = f y
  let k2 = f (ax (h / 5) k1 y)
  let k3 = f (lin h [3/40, 9/40] [k1, k2] y)
  let k4 = f (lin h [44/45, -56/15, 32/9] [k1, k2, k3] y)
  let k5 = f (lin h [19372/6561, -25360/2187, 64448/6561, -212/729] [k1, k2, k3, k4] y)
  let k6 = f (lin h [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656] [k1, k2, k3, k4, k5] y)
  let new = lin h [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84] [k1, k2, k3, k4, k5, k6] y
  let k7 = f new
  let (ex, ey) = lin h [71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525, -1/40] [k1, k2, k3, k4, k5, k6, k7] (0, 0)
  let sc a = 1e-9 + 1e-6 * f64.abs a
  in (new, f64.max (f64.abs ex / sc new.0) (f64.abs ey / sc new.1))

entry main [n] (tend: f64) (alpha: [n]f64) (beta: [n]f64) (x0: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  let run a b x =
    let f = field (0.5 + a) (0.5 + b)
    let start = (0.5 + x, 1.0)
    let (y, _, _, _) =
      loop (y, t, h, it) = (start, 0, 0.01, 0i32) while t < tend && it < 400 do
        let h' = f64.min h (tend - t)
        let (new, err) = step f h' y
        let grow = 0.9 * (f64.max 1e-8 err) ** (-0.2)
        let next = h' * f64.max 0.2 (f64.min 5 grow)
        in if err <= 1 then (new, t + h', next, it + 1) else (y, t, next, it + 1)
    let (u, w) = y
    in (u, w, (0.5 + b) * u - f64.log u + w - (0.5 + a) * f64.log w)
  in unzip3 (map3 run alpha beta x0)
