-- Logistic regression with ridge by limited-memory BFGS, the gradients by vjp, the last four pairs kept.
def mem : i64 = 4

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def axpy [n] (s: f64) (a: [n]f64) (b: [n]f64) : [n]f64 = map2 (\x y -> s * x + y) a b

def loss [n] [d] (lambda: f64) (x: [n][d]f64) (t: [n]f64) (w: [d]f64) : f64 =
  let each row ti =
    let z = dot row w
    in f64.log1p (f64.exp (-f64.abs z)) + f64.max z 0 - ti * z
  in f64.sum (map2 each x t) / f64.i64 n + 0.5 * lambda * dot w w

def shift [d] (hs: [mem][d]f64) (new: [d]f64) : [mem][d]f64 =
  tabulate mem (\i -> if i + 1 < mem then hs[i + 1] else new)

def direction [d] (ss: [mem][d]f64) (ys: [mem][d]f64) (g: [d]f64) : [d]f64 =
  let rho i = let c = dot ss[i] ys[i] in if c < 1e-14 then 0 else 1 / c
  let (q, al) = loop (q, al) = (g, replicate mem 0) for k < mem do
    let i = mem - 1 - k
    let a = rho i * dot ss[i] q
    in (axpy (-a) ys[i] q, al with [i] = a)
  let yy = dot ys[mem - 1] ys[mem - 1]
  let scale = if yy < 1e-14 then 1 else dot ss[mem - 1] ys[mem - 1] / yy
  let r = map (* scale) q
  in loop r for i < mem do
       let b = rho i * dot ys[i] r
       in axpy (al[i] - b) ss[i] r

entry main [n] [d] (steps: i32) (lambda: f64) (x0: [n][d]f64) (label: [n]bool) : ([d]f64, f64, f64) =
  let x = map (map (\v -> 2 * v - 1)) x0
  -- labels that partly follow the first feature
  let t = map2 (\row b -> if b then 0.5 + 0.5 * row[0] else 0) x label
  let f = loss lambda x t
  let grad w = vjp f w 1
  let w0 = replicate d 0
  let none = replicate mem (replicate d 0)
  let (w, g, _, _) =
    loop (w, g, ss, ys) = (w0, grad w0, none, none) for _i < steps do
      let p = direction ss ys g
      let w' = axpy (-0.7) p w
      let g' = grad w'
      in (w', g', shift ss (map2 (-) w' w), shift ys (map2 (-) g' g))
  in (w, f w, f64.sqrt (dot g g))
