-- BiCGSTAB for convection and diffusion on a grid, the matrix never stored.
type grid [h] [w] = [h][w]f64

def dot [h] [w] (a: grid [h] [w]) (b: grid [h] [w]) : f64 =
  f64.sum (map f64.sum (map2 (map2 (*)) a b))

def axpy [h] [w] (s: f64) (a: grid [h] [w]) (b: grid [h] [w]) : grid [h] [w] =
  map2 (map2 (\x y -> s * x + y)) a b

def ratio (a: f64) (b: f64) : f64 = if f64.abs b < 1e-200 then 0 else a / b

def apply [h] [w] (c: grid [h] [w]) (wind: f64) (x: grid [h] [w]) : grid [h] [w] =
  tabulate_2d h w (\i j ->
    let get a b = if a < 0 || b < 0 || a >= h || b >= w then 0 else x[a, b]
    in (4.5 + c[i, j]) * x[i, j]
       - (1 + wind) * get (i - 1) j - (1 - wind) * get (i + 1) j
       - (1 + 0.5 * wind) * get i (j - 1) - (1 - 0.5 * wind) * get i (j + 1))

entry main [h] [w] (steps: i32) (wind: f64) (c: grid [h] [w]) (b: grid [h] [w]) : (grid [h] [w], f64) =
  let mul = apply c wind
  let zero = map (map (const 0)) b
  let (x, r, _, _, _, _, _) =
    loop (x, r, p, v, rho, alpha, omega) = (zero, b, zero, zero, 1, 1, 1) for _i < steps do
      let rho' = dot b r
      let beta = ratio rho' rho * ratio alpha omega
      let p = axpy beta (axpy (-omega) v p) r
      let v = mul p
      let alpha = ratio rho' (dot b v)
      let s = axpy (-alpha) v r
      let t = mul s
      let omega = ratio (dot t s) (dot t t)
      in (axpy omega s (axpy alpha p x), axpy (-omega) t s, p, v, rho', alpha, omega)
  in (x, f64.sqrt (dot r r))
