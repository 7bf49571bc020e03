-- An ensemble of Fermi-Pasta-Ulam chains by the classical Runge-Kutta method, with a generic stepper and the energy at the end.
type state [m] = {x: [m]f32, v: [m]f32}

def axpy [m] (h: f32) (k: state [m]) (s: state [m]) : state [m] =
  {x = map2 (\a b -> b + h * a) k.x s.x, v = map2 (\a b -> b + h * a) k.v s.v}

def rk4 'a (add: f32 -> a -> a -> a) (f: a -> a) (h: f32) (s: a) : a =
  let k1 = f s
  let k2 = f (add (h / 2) k1 s)
  let k3 = f (add (h / 2) k2 s)
  let k4 = f (add h k3 s)
  in s |> add (h / 6) k1 |> add (h / 3) k2 |> add (h / 3) k3 |> add (h / 6) k4

def force [m] (alpha: f32) (s: state [m]) : state [m] =
  let at i = if i < 0 || i >= m then 0 else s.x[i]
  let spring d = d + alpha * d * d
  in {x = s.v, v = tabulate m (\i -> spring (at (i + 1) - at i) - spring (at i - at (i - 1)))}

def energy [m] (s: state [m]) : f32 =
  let kin = 0.5 * f32.sum (map (\v -> v * v) s.v)
  let pot = reduce (+) 0 (map (\i -> let d = (if i < m then s.x[i] else 0) - (if i > 0 then s.x[i - 1] else 0)
                                     in 0.5 * d * d) (iota (m + 1)))
  in kin + pot

entry main [n] [m] (steps: i64) (h: f32) (alphas: [n]f32) (x0: [n][m]f32) : ([n][m]f32, [n]f32) =
  let run alpha x =
    let s0 = {x = map (\a -> a - 0.5) x, v = replicate m 0}
    let s = loop s = s0 for _i < steps do rk4 axpy (force (alpha * 0.3)) h s
    in (s.x, energy s)
  in unzip (map2 run alphas x0)
