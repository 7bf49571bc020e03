-- A small numerical library in the parametric-modules style, with the entry
-- points that use it at the bottom of each part.

-- ==========================================================================
-- Algebra
-- ==========================================================================

module type monoid = {
  type t
  val op : t -> t -> t
  val ne : t
}

module type semiring = {
  type t
  val zero : t
  val one : t
  val add : t -> t -> t
  val mul : t -> t -> t
}

module type field = {
  type t
  val zero : t
  val one : t
  val add : t -> t -> t
  val sub : t -> t -> t
  val mul : t -> t -> t
  val div : t -> t -> t
  val is_zero : t -> bool
}

module mk_real_field (R: real) : field with t = R.t = {
  type t = R.t
  def zero = R.i64 0
  def one = R.i64 1
  def add = (R.+)
  def sub = (R.-)
  def mul = (R.*)
  def div = (R./)
  def is_zero (x: t) = R.(x == i64 0)
}

module mk_complex (R: real) = {
  type r = R.t
  type t = {re: R.t, im: R.t}
  def mk (re: r) (im: r) : t = {re, im}
  def zero : t = mk (R.i64 0) (R.i64 0)
  def one : t = mk (R.i64 1) (R.i64 0)
  def add (a: t) (b: t) : t = mk R.(a.re + b.re) R.(a.im + b.im)
  def sub (a: t) (b: t) : t = mk R.(a.re - b.re) R.(a.im - b.im)
  def mul (a: t) (b: t) : t =
    mk R.(a.re * b.re - a.im * b.im) R.(a.re * b.im + a.im * b.re)
  def conj (a: t) : t = mk a.re (R.neg a.im)
  def norm2 (a: t) : r = R.(a.re * a.re + a.im * a.im)
  def scale (s: r) (a: t) : t = mk R.(s * a.re) R.(s * a.im)
  def div (a: t) (b: t) : t = scale R.(i64 1 / norm2 b) (mul a (conj b))
  def is_zero (a: t) = R.(norm2 a == i64 0)
  def cis (th: r) : t = mk (R.cos th) (R.sin th)
}

module c32 = mk_complex f32

module c64 = mk_complex f64

-- A prime field.
module mk_gfp (P: {val p : u64}) = {
  type t = u64
  def zero = 0u64
  def one = 1u64
  def add (a: t) (b: t) : t = let s = a + b in if s >= P.p then s - P.p else s
  def sub (a: t) (b: t) : t = if a >= b then a - b else a + P.p - b
  def mul (a: t) (b: t) : t = (a * b) % P.p
  def pow (a: t) (e: u64) : t =
    let (r, _, _) =
      loop (r, b, e) = (1, a, e) while e > 0 do
        (if e & 1 == 1 then mul r b else r, mul b b, e >> 1)
    in r
  def inv (a: t) : t = pow a (P.p - 2)
  def div (a: t) (b: t) : t = mul a (inv b)
  def is_zero (a: t) = a == 0
}

module gf_ntt = mk_gfp {def p = 998244353u64}

module gf_small = mk_gfp {def p = 65537u64}

def ceil_log2 (n: i64) : i64 =
  let (k, _) = loop (k, m) = (0, 1i64) while m < n do (k + 1, m * 2) in k

def floor_log2 (n: i64) : i64 =
  let (k, _) = loop (k, m) = (0, 1i64) while m * 2 <= n do (k + 1, m * 2) in k

def wrap (n: i64) (i: i64) : i64 = ((i % n) + n) % n

def clampi (lo: i64) (hi: i64) (i: i64) : i64 = i64.max lo (i64.min hi i)

-- ==========================================================================
-- Sorting with comparators
-- ==========================================================================

def bitonic [n] 't (leq: t -> t -> bool) (pad: t) (xs: [n]t) : [n]t =
  let k = ceil_log2 n
  let m = 1 << k
  let ys = tabulate m (\i -> if i < n then xs[i] else pad)
  let ys =
    loop ys for p < k do
      loop ys for q' < p + 1 do
        let d = 1i64 << (p - q')
        in tabulate m (\i ->
             let j = i ^ d
             let up = (i >> (p + 1)) & 1 == 0
             let a = ys[i64.min i j]
             let b = ys[i64.max i j]
             let swap = if up then !(leq a b) else !(leq b a)
             in if swap then ys[j] else ys[i])
  in take n ys

-- A sort for the inside of a thread.
def bubble [n] 't (leq: t -> t -> bool) (xs: *[n]t) : *[n]t =
  loop xs for i < n do
    loop xs for j < n - 1 - i do
      let a = copy xs[j]
      let b = copy xs[j + 1]
      in if leq a b
         then xs
         else let xs[j] = b
              let xs[j + 1] = a
              in xs

def windows [n] 'a (k: i64) (xs: [n]a) : [n - k + 1][k]a =
  tabulate (n - k + 1) (\i -> tabulate k (\j -> xs[i + j]))

def lower_bound [n] 't (lt: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  let (lo, _) =
    loop (lo, hi) = (0, n) while lo < hi do
      let mid = (lo + hi) / 2
      in if lt xs[mid] x then (mid + 1, hi) else (lo, mid)
  in lo

def argbest [n] 't (better: t -> t -> bool) (worst: t) (xs: [n]t) : (t, i64) =
  reduce_comm (\(a, i) (b, j) ->
                 if better a b then (a, i)
                 else if better b a then (b, j)
                 else if i <= j then (a, i) else (b, j))
              (worst, i64.highest)
              (zip xs (iota n))

-- Points sorted by quadrant, then by exact cross product, then by index.
type pt = {x: i32, y: i32, id: i64}

def half_plane (p: pt) : i32 =
  if p.x == 0 && p.y == 0 then -1 else if p.y > 0 || (p.y == 0 && p.x >= 0) then 0 else 1

def angle_leq (p: pt) (q: pt) : bool =
  if p.id == i64.highest then q.id == i64.highest
  else if q.id == i64.highest then true
  else let (hp, hq) = (half_plane p, half_plane q)
       in if hp != hq
          then hp < hq
          else let cr = i64.i32 p.x * i64.i32 q.y - i64.i32 p.y * i64.i32 q.x
               in if cr != 0 then cr > 0 else p.id <= q.id

-- ==========================================================================
-- Counter-based random numbers
-- ==========================================================================

module type cbrng = {
  val bits : u64 -> u64 -> u64
}

module squares : cbrng = {
  def rot (v: u64) = (v >> 32) | (v << 32)
  def bits (key: u64) (ctr: u64) : u64 =
    let k0 = (key + 0x632BE59BD9B4E019) * 0x9E3779B97F4A7C15
    let k = (k0 ^ (k0 >> 29)) | 1
    let y = (ctr + 1) * k
    let z = y + k
    let x = rot (y * y + y)
    let x = rot (x * x + z)
    let x = rot (x * x + y)
    let t = x * x + z
    let x = rot t
    in t ^ ((x * x + y) >> 32)
}

module splitmix : cbrng = {
  def mix (z: u64) : u64 =
    let z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    let z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    in z ^ (z >> 31)
  def bits (key: u64) (ctr: u64) : u64 =
    mix (mix (key + 0x9E3779B97F4A7C15) + (ctr + 1) * 0x9E3779B97F4A7C15)
}

module mk_dist (R: real) (G: cbrng) = {
  def u01 (key: u64) (ctr: u64) : R.t =
    R.f64 ((f64.u64 (G.bits key ctr >> 41) + 0.5) / 8388608)
  def below (key: u64) (ctr: u64) (n: i64) : i64 =
    i64.u64 (((G.bits key ctr >> 32) * u64.i64 n) >> 32)
  def normal2 (key: u64) (ctr: u64) : (R.t, R.t) =
    let u = u01 key (2 * ctr)
    let v = u01 key (2 * ctr + 1)
    let r = R.(sqrt (neg (f64 2 * log u)))
    let th = R.(f64 2 * pi * v)
    in (R.(r * cos th), R.(r * sin th))
  def exponential (key: u64) (ctr: u64) : R.t = R.(neg (log (u01 key ctr)))
}

-- ==========================================================================
-- Monte Carlo
-- ==========================================================================

def moments 't (add: t -> t -> t) (mul: t -> t -> t) (zero: t) (xs: []t) : (t, t) =
  reduce (\(a, b) (c, d) -> (add a c, add b d)) (zero, zero) (map (\x -> (x, mul x x)) xs)

module mk_path_mc (R: real) (G: cbrng) = {
  module D = mk_dist R G
  def pair (key: u64) (steps: i64) (s0: R.t) (strike: R.t) (sig: R.t) (p: i64) : R.t =
    let n = R.i64 steps
    let dt = R.(i64 1 / n)
    let drift = R.(neg (f64 0.5 * sig * sig * dt))
    let vol = R.(sig * sqrt dt)
    let z0 = R.i64 0
    let (_, _, a, b) =
      loop (l0, l1, a, b) = (z0, z0, z0, z0) for t < steps do
        let (z, _) = D.normal2 (key + 17 * u64.i64 p) (u64.i64 t)
        let l0 = R.(l0 + drift + vol * z)
        let l1 = R.(l1 + drift - vol * z)
        in (l0, l1, R.(a + exp l0), R.(b + exp l1))
    let pay x = R.(max (i64 0) (s0 * x / n - strike))
    in R.(f64 0.5 * (pay a + pay b))
  def price (key: u64) (paths: i64) (steps: i64) (s0: R.t) (strike: R.t) (sig: R.t) : [2]R.t =
    let xs = tabulate paths (pair key steps s0 strike sig)
    let (s, ss) = moments (R.+) (R.*) (R.i64 0) xs
    let n = R.i64 paths
    let mean = R.(s / n)
    in [mean, R.(max (i64 0) (ss / n - mean * mean))]
}

module asian32 = mk_path_mc f32 squares

-- Integrands as data.
type genz = #oscillatory f64 | #product_peak f64 | #gaussian f64 | #corner f64

module mk_strata (G: cbrng) = {
  module D = mk_dist f64 G
  def eval (g: genz) (x: f64) (y: f64) (z: f64) : f64 =
    match g
    case #oscillatory a -> f64.cos (0.3 + a * (x + 2 * y + 3 * z))
    case #product_peak a ->
      1 / ((1 + a * (x - 0.5) ** 2) * (1 + a * (y - 0.4) ** 2) * (1 + a * (z - 0.3) ** 2))
    case #gaussian a -> f64.exp (-a * ((x - 0.5) ** 2 + (y - 0.25) ** 2 + z * z))
    case #corner a -> (1 + a * (x + y + z)) ** (-4)
  -- Two samples in each of m^3 cells: a mean and its variance estimate.
  def integrate (key: u64) (m: i64) (g: genz) : (f64, f64) =
    let h = 1 / f64.i64 m
    let cell i j k =
      let c = u64.i64 ((i * m + j) * m + k)
      let at s = eval g ((f64.i64 i + D.u01 key (6 * c + s)) * h)
                        ((f64.i64 j + D.u01 key (6 * c + s + 1)) * h)
                        ((f64.i64 k + D.u01 key (6 * c + s + 2)) * h)
      let a = at 0
      let b = at 3
      in (0.5 * (a + b), 0.25 * (a - b) * (a - b))
    let (s, v) =
      tabulate_3d m m m cell |> flatten_3d
      |> reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
    in (s * h * h * h, v * (h * h * h) * (h * h * h))
}

module strata = mk_strata splitmix

module boot = mk_dist f64 splitmix

-- Generators: a state, and what it gives next.
module type generator = {
  type state
  type out
  val init : i64 -> state
  val next : state -> (state, out)
}

module halton23 = {
  type state = i64
  type out = (f32, f32)
  def radical (b: i64) (i: i64) : f32 =
    let (_, r, _) =
      loop (i, r, f) = (i, 0f32, 1 / f32.i64 b) while i > 0 do
        (i / b, r + f * f32.i64 (i % b), f / f32.i64 b)
    in r
  def init (i: i64) : state = i + 1
  def next (s: state) : (state, out) = (s + 1, (radical 2 s, radical 3 s))
}

module weyl2 = {
  type state = (u32, u32)
  type out = (f32, f32)
  def init (i: i64) : state = (u32.i64 i * 3242174889, u32.i64 i * 2447445414)
  def unit (u: u32) : f32 = f32.u32 (u >> 9) / 8388608
  def next ((a, b): state) : (state, out) =
    ((a + 3242174889, b + 2447445414), (unit a, unit b))
}

module mk_stream (G: generator) = {
  -- Fold f over each of n streams of k items.
  def fold 'a (f: a -> G.out -> a) (ne: a) (n: i64) (k: i64) : [n]a =
    tabulate n (\i ->
      let (_, acc) =
        loop (s, acc) = (G.init (i * k), ne) for _i < k do
          let (s, x) = G.next s
          in (s, f acc x)
      in acc)
}

module halton_stream = mk_stream halton23

module weyl_stream = mk_stream weyl2

-- ==========================================================================
-- Ordinary and stochastic differential equations
-- ==========================================================================

module type vspace = {
  type t
  type v
  val add : v -> v -> v
  val scale : t -> v -> v
  val norm : v -> t
}

module mk_space2 (R: real) = {
  type t = R.t
  type v = (R.t, R.t)
  def add ((a, b): v) ((c, d): v) : v = R.((a + c, b + d))
  def scale (s: t) ((a, b): v) : v = R.((s * a, s * b))
  def norm ((a, b): v) : t = R.(max (abs a) (abs b))
}

module mk_spacen (R: real) (D: {val n : i64}) = {
  type t = R.t
  type v = [D.n]R.t
  def add (a: v) (b: v) : v = map2 (R.+) a b
  def scale (s: t) (a: v) : v = map (s R.*) a
  def norm (a: v) : t = R.sqrt (R.sum (map (\x -> R.(x * x)) a))
}

module mk_rk (R: real) (V: vspace with t = R.t) = {
  def comb (y: V.v) (h: R.t) (c: f64) (k: V.v) : V.v = V.add y (V.scale R.(h * f64 c) k)
  -- Bogacki-Shampine
  def bs23 (f: R.t -> V.v -> V.v) (t: R.t) (h: R.t) (y: V.v) : (V.v, R.t) =
    let k1 = f t y
    let k2 = f R.(t + f64 0.5 * h) (comb y h 0.5 k1)
    let k3 = f R.(t + f64 0.75 * h) (comb y h 0.75 k2)
    let yn = comb (comb (comb y h (2 / 9) k1) h (1 / 3) k2) h (4 / 9) k3
    let k4 = f R.(t + h) yn
    let er = V.add (V.add (V.scale (R.f64 (-5 / 72)) k1) (V.scale (R.f64 (1 / 12)) k2))
                  (V.add (V.scale (R.f64 (1 / 9)) k3) (V.scale (R.f64 (-1 / 8)) k4))
    in (yn, R.(h * V.norm er))
  def adaptive (f: R.t -> V.v -> V.v) (tol: R.t) (t1: R.t) (y0: V.v) : V.v =
    let (_, _, y, _) =
      loop (t, h, y, k) = (R.i64 0, R.f64 0.01, y0, 0i32) while R.(t < t1) && k < 5000 do
        let h = R.min h R.(t1 - t)
        let (yn, err) = bs23 f t h y
        let ok = R.(err <= tol)
        let fac = R.(f64 0.9 * (tol / (err + tol * f64 0.001)) ** f64 0.333)
        let h' = R.(h * max (f64 0.2) (min (f64 4) fac))
        in if ok then (R.(t + h), h', yn, k + 1) else (t, h', y, k + 1)
    in y
  def rk4 (f: R.t -> V.v -> V.v) (h: R.t) (n: i64) (y0: V.v) : V.v =
    loop y = y0 for i < n do
      let t = R.(i64 i * h)
      let k1 = f t y
      let k2 = f R.(t + f64 0.5 * h) (comb y h 0.5 k1)
      let k3 = f R.(t + f64 0.5 * h) (comb y h 0.5 k2)
      let k4 = f R.(t + h) (comb y h 1 k3)
      in comb (comb (comb (comb y h (1 / 6) k1) h (1 / 3) k2) h (1 / 3) k3) h (1 / 6) k4
}

module rk_pair64 = mk_rk f64 (mk_space2 f64)

module five = {def n = 5i64}

module rk_five32 = mk_rk f32 (mk_spacen f32 five)

module type ito = {
  type t
  val drift : t -> t
  val diffusion : t -> t
  val ddiffusion : t -> t
}

module mk_milstein (R: real) (G: cbrng) (M: ito with t = R.t) = {
  module D = mk_dist R G
  def step (dt: R.t) (z: R.t) (x: R.t) : R.t =
    let dw = R.(sqrt dt * z)
    let b = M.diffusion x
    in R.(x + M.drift x * dt + b * dw + f64 0.5 * b * M.ddiffusion x * (dw * dw - dt))
  -- Means and second moments at each of the given output times.
  def ensemble (key: u64) (paths: i64) (outs: i64) (per: i64) (dt: R.t) (x0: R.t) : ([outs]R.t, [outs]R.t) =
    let ms = replicate outs (R.i64 0)
    let vs = replicate outs (R.i64 0)
    let n = R.i64 paths
    let (_, ms, vs) =
      loop (xs, ms, vs) = (replicate paths x0, ms, vs) for o < outs do
        let xs = map2 (\i x ->
                         loop x for s < per do
                           let (z, _) = D.normal2 (key + u64.i64 i) (u64.i64 (o * per + s))
                           in step dt z x)
                      (iota paths) xs
        let (a, b) = moments (R.+) (R.*) (R.i64 0) xs
        in (xs, ms with [o] = R.(a / n), vs with [o] = R.(b / n))
    in (ms, vs)
}

module cir32 = mk_milstein f32 splitmix {
  type t = f32
  def drift (x: f32) = 1.5 * (0.6 - x)
  def diffusion (x: f32) = 0.3 * f32.sqrt (f32.max x 0.01)
  def ddiffusion (x: f32) = 0.15 / f32.sqrt (f32.max x 0.01)
}

module sinewell64 = mk_milstein f64 squares {
  type t = f64
  def drift (x: f64) = -f64.sin x
  def diffusion (x: f64) = 0.2 + 0.1 * f64.cos x
  def ddiffusion (x: f64) = -0.1 * f64.sin x
}

-- ==========================================================================
-- Tridiagonal systems, PDEs
-- ==========================================================================

module mk_tri (F: field) = {
  type t = F.t
  def thomas [n] (a: [n]t) (b: [n]t) (c: [n]t) (d: [n]t) : [n]t =
    let (cs, ds) =
      loop (cs, ds) = (replicate n F.zero, replicate n F.zero) for i < n do
        let (pc, pd) = if i > 0 then (copy cs[i - 1], copy ds[i - 1]) else (F.zero, F.zero)
        let den = F.sub b[i] (F.mul a[i] pc)
        in (cs with [i] = F.div c[i] den,
            ds with [i] = F.div (F.sub d[i] (F.mul a[i] pd)) den)
    in loop x = replicate n F.zero for i' < n do
         let i = n - 1 - i'
         let nx = if i < n - 1 then copy x[i + 1] else F.zero
         in x with [i] = F.sub ds[i] (F.mul cs[i] nx)
}

module tri64 = mk_tri (mk_real_field f64)

module tri32 = mk_tri (mk_real_field f32)

module tric64 = mk_tri c64

-- Natural cubic splines.
module mk_spline (R: real) = {
  module T = mk_tri (mk_real_field R)
  def second [n] (h: R.t) (y: [n]R.t) : [n]R.t =
    let inner i = i > 0 && i < n - 1
    let z = R.i64 0
    let off = tabulate n (\i -> if inner i then R.i64 1 else z)
    let diag = tabulate n (\i -> if inner i then R.i64 4 else R.i64 1)
    let rhs = tabulate n (\i -> if inner i
                                then let (a, b, c) = (y[i - 1], y[i], y[i + 1])
                                     in R.(f64 6 * (a - f64 2 * b + c) / (h * h))
                                else z)
    in T.thomas off diag off rhs
  def eval [n] (h: R.t) (y: [n]R.t) (m: [n]R.t) (x: R.t) : R.t =
    let k = clampi 0 (n - 2) (R.to_i64 (R.floor R.(x / h)))
    let t = R.(x / h - i64 k)
    let s = R.(i64 1 - t)
    let (y0, y1, m0, m1) = (y[k], y[k + 1], m[k], m[k + 1])
    in R.(s * y0 + t * y1 + h * h / f64 6 * ((s * s * s - s) * m0 + (t * t * t - t) * m1))
}

module spline32 = mk_spline f32

-- Hand-written FFT (Stockham), by the complex numbers it works on.
module mk_fft (R: real) = {
  module C = mk_complex R
  def fft [n] (sign: f64) (xs: [n]C.t) : [n]C.t =
    let stages = floor_log2 n
    in loop xs for s < stages do
         let ns = 1i64 << s
         in tabulate n (\o ->
              let r = o % (2 * ns)
              let k = r % ns
              let j = (o / (2 * ns)) * ns + k
              let w = C.cis R.(f64 sign * pi * i64 k / i64 ns)
              let v0 = xs[j]
              let v1 = C.mul w xs[j + n / 2]
              in if r < ns then C.add v0 v1 else C.sub v0 v1)
  def forward [n] (xs: [n]C.t) : [n]C.t = fft (-1) xs
  def inverse [n] (xs: [n]C.t) : [n]C.t = map (C.scale R.(i64 1 / i64 n)) (fft 1 xs)
  def both 'a [n][m] (f: (k: i64) -> [k]a -> [k]a) (xs: [n][m]a) : [n][m]a =
    map (f m) xs |> transpose |> map (f n) |> transpose
  def fft2 [n][m] (xs: [n][m]C.t) : [n][m]C.t = both (\(k: i64) (r: [k]C.t) : [k]C.t -> forward r) xs
  def ifft2 [n][m] (xs: [n][m]C.t) : [n][m]C.t = both (\(k: i64) (r: [k]C.t) : [k]C.t -> inverse r) xs
  def freq (n: i64) (i: i64) : R.t = R.i64 (if i <= n / 2 then i else i - n)
}

module fft32 = mk_fft f32

module fft64 = mk_fft f64

-- A multigrid V-cycle, one module a level.
module mk_mg_ops (R: real) = {
  type t = R.t
  def at [n] (u: [n][n]t) (i: i64) (j: i64) : t =
    if i >= 0 && i < n && j >= 0 && j < n then u[i, j] else R.i64 0
  def nb [n] (u: [n][n]t) (i: i64) (j: i64) : t =
    let (a, b, c, d) = (at u (i - 1) j, at u (i + 1) j, at u i (j - 1), at u i (j + 1))
    in R.(a + b + c + d)
  def smooth [n] (sweeps: i64) (h2: t) (f: [n][n]t) (u: [n][n]t) : [n][n]t =
    loop u for _i < sweeps do
      tabulate_2d n n (\i j ->
        let (s, c, r) = (nb u i j, u[i, j], f[i, j])
        in R.(c + f64 0.8 * ((s + h2 * r) / i64 4 - c)))
  def residual [n] (h2: t) (f: [n][n]t) (u: [n][n]t) : [n][n]t =
    tabulate_2d n n (\i j ->
      let (s, c, r) = (nb u i j, u[i, j], f[i, j])
      in R.(r - (i64 4 * c - s) / h2))
}

module type mg_solver = {
  type t
  val solve [n] : t -> [n][n]t -> [n][n]t
}

module mk_mg_base (R: real) : mg_solver with t = R.t = {
  type t = R.t
  module O = mk_mg_ops R
  def solve [n] (h2: t) (f: [n][n]t) : [n][n]t =
    O.smooth 30 h2 f (replicate n (replicate n (R.i64 0)))
}

module mk_mg_level (R: real) (C: mg_solver with t = R.t) : mg_solver with t = R.t = {
  type t = R.t
  module O = mk_mg_ops R
  def solve [n] (h2: t) (f: [n][n]t) : [n][n]t =
    let u = O.smooth 2 h2 f (replicate n (replicate n (R.i64 0)))
    let r = O.residual h2 f u
    let m = n / 2
    let rc =
      tabulate_2d m m (\i j ->
        let (y, x) = (2 * i + 1, 2 * j + 1)
        let c = O.at r y x
        let ed = O.nb r y x
        let (a, b, g, h) = (O.at r (y - 1) (x - 1), O.at r (y - 1) (x + 1),
                            O.at r (y + 1) (x - 1), O.at r (y + 1) (x + 1))
        in R.((f64 4 * c + f64 2 * ed + a + b + g + h) / f64 16))
    let ec = C.solve R.(f64 4 * h2) rc
    let lerp i = (if i % 2 == 1 then (i / 2, i / 2) else (i / 2 - 1, i / 2))
    let u =
      tabulate_2d n n (\i j ->
        let (i0, i1) = lerp i
        let (j0, j1) = lerp j
        let (a, b, c, d) = (O.at ec i0 j0, O.at ec i0 j1, O.at ec i1 j0, O.at ec i1 j1)
        let v = u[i, j]
        in R.(v + f64 0.25 * (a + b + c + d)))
    in O.smooth 2 h2 f u
}

module mg0 = mk_mg_base f64

module mg1 = mk_mg_level f64 mg0

module mg2 = mk_mg_level f64 mg1

module mg3 = mk_mg_level f64 mg2

module mg4 = mk_mg_level f64 mg3

module mg5 = mk_mg_level f64 mg4

module mg_ops64 = mk_mg_ops f64

-- 3-d acoustic waves with a sponge, by an arbitrary speed function.
module mk_wave3 (R: real) = {
  def run [a][b][c] (speed: i64 -> i64 -> i64 -> R.t) (steps: i64) (u0: [a][b][c]R.t) : [a][b][c]R.t =
    let c2 = tabulate_3d a b c (\i j k -> let s = speed i j k in R.(s * s))
    let (u, _) =
      loop (u, p) = (u0, u0) for _i < steps do
        let v =
          tabulate_3d a b c (\i j k ->
            let x0 = u[i64.max 0 (i - 1), j, k]
            let x1 = u[i64.min (a - 1) (i + 1), j, k]
            let y0 = u[i, i64.max 0 (j - 1), k]
            let y1 = u[i, i64.min (b - 1) (j + 1), k]
            let z0 = u[i, j, i64.max 0 (k - 1)]
            let z1 = u[i, j, i64.min (c - 1) (k + 1)]
            let edge = i == 0 || j == 0 || k == 0 || i == a - 1 || j == b - 1 || k == c - 1
            let damp = R.f64 (if edge then 0.7 else 0.999)
            let (m, w, q) = (u[i, j, k], c2[i, j, k], p[i, j, k])
            in R.(damp * (f64 2 * m - q + w * (x0 + x1 + y0 + y1 + z0 + z1 - f64 6 * m))))
        in (v, map (map (map (R.f64 0.999 R.*))) u)
    in u
}

module wave32 = mk_wave3 f32

-- ==========================================================================
-- Particles
-- ==========================================================================

module mk_vec3 (R: real) = {
  type t = R.t
  type v = {x: R.t, y: R.t, z: R.t}
  def add (a: v) (b: v) : v = {x = R.(a.x + b.x), y = R.(a.y + b.y), z = R.(a.z + b.z)}
  def sub (a: v) (b: v) : v = {x = R.(a.x - b.x), y = R.(a.y - b.y), z = R.(a.z - b.z)}
  def scale (s: t) (a: v) : v = {x = R.(s * a.x), y = R.(s * a.y), z = R.(s * a.z)}
  def dot (a: v) (b: v) : t = R.(a.x * b.x + a.y * b.y + a.z * b.z)
  def cross (a: v) (b: v) : v =
    {x = R.(a.y * b.z - a.z * b.y), y = R.(a.z * b.x - a.x * b.z), z = R.(a.x * b.y - a.y * b.x)}
  def zero : v = {x = R.i64 0, y = R.i64 0, z = R.i64 0}
  def norm (a: v) : t = R.sqrt (dot a a)
  def of_arr (a: [3]t) : v = {x = a[0], y = a[1], z = a[2]}
  def to_arr (a: v) : [3]t = [a.x, a.y, a.z]
}

module v3f = mk_vec3 f32

module v3d = mk_vec3 f64

module mk_nbody (R: real) = {
  module V = mk_vec3 R
  -- force law f: distance^2 -> multiplier
  def accel [n] (f: R.t -> R.t) (ms: [n]R.t) (ps: [n]V.v) : [n]V.v =
    map (\p -> map2 (\m q -> let d = V.sub q p in V.scale R.(m * f (V.dot d d)) d) ms ps
               |> reduce V.add V.zero)
        ps
  def leapfrog [n] (f: R.t -> R.t) (dt: R.t) (steps: i64) (ms: [n]R.t) (ps: [n]V.v) (vs: [n]V.v) =
    let kick c vs as = map2 (\v a -> V.add v (V.scale c a)) vs as
    let half = R.(f64 0.5 * dt)
    in loop (ps, vs) for _i < steps do
         let vs = kick half vs (accel f ms ps)
         let ps = kick dt ps vs
         in (ps, kick half vs (accel f ms ps))
}

module nbody32 = mk_nbody f32

-- Electrostatic particle-in-cell with cloud-in-cell weights.
module mk_pic (R: real) = {
  def deposit [n] (g: i64) (xs: [n]R.t) : [g]R.t =
    let cell x = let f = R.floor x in (wrap g (R.to_i64 f), R.(x - f))
    let left = map (\x -> let (i, w) = cell x in (i, R.(i64 1 - w))) xs
    let right = map (\x -> let (i, w) = cell x in ((i + 1) % g, w)) xs
    let (is, ws) = unzip (left ++ right)
    in hist (R.+) (R.i64 0) g is ws
  def efield [g] (rho: [g]R.t) : [g]R.t =
    let mean = R.(sum rho / i64 g)
    let es = scan (R.+) (R.i64 0) (map (\r -> R.(r - mean)) rho)
    let me = R.(sum es / i64 g)
    in map (\x -> R.(x - me)) es
  def gather [g] (e: [g]R.t) (x: R.t) : R.t =
    let f = R.floor x
    let i = wrap g (R.to_i64 f)
    let w = R.(x - f)
    let (a, b) = (e[i], e[(i + 1) % g])
    in R.(a * (i64 1 - w) + b * w)
  def run [n] (g: i64) (dt: R.t) (steps: i64) (xs: [n]R.t) (vs: [n]R.t) : ([n]R.t, [g]R.t) =
    let q = R.(i64 g / i64 n)
    let gw = R.i64 g
    let (xs, vs) =
      loop (xs, vs) for _i < steps do
        let e = efield (map (q R.*) (deposit g xs))
        let vs = map2 (\x v -> let f = gather e x in R.(v + dt * f)) xs vs
        let xs = map2 (\x v -> R.(let y = x + dt * v in y - gw * floor (y / gw))) xs vs
        in (xs, vs)
    in (vs, deposit g xs)
}

module pic64 = mk_pic f64

-- ==========================================================================
-- Small matrices, filters
-- ==========================================================================

module mk_smat (F: field) = {
  type t = F.t
  def sum [n] (xs: [n]t) : t = loop s = F.zero for x in xs do F.add s x
  def dot [n] (a: [n]t) (b: [n]t) : t = sum (map2 F.mul a b)
  def mul [n][m][p] (a: [n][m]t) (b: [m][p]t) : [n][p]t =
    map (\r -> map (\c -> dot r c) (transpose b)) a
  def mulv [n][m] (a: [n][m]t) (v: [m]t) : [n]t = map (\r -> dot r v) a
  def add [n][m] (a: [n][m]t) (b: [n][m]t) : [n][m]t = map2 (map2 F.add) a b
  def sub [n][m] (a: [n][m]t) (b: [n][m]t) : [n][m]t = map2 (map2 F.sub) a b
  def eye (n: i64) : [n][n]t =
    tabulate_2d n n (\i j -> if i == j then F.one else F.zero)
  -- Determinant by elimination, first non-zero pivot.
  def det [n] (a: [n][n]t) : t =
    let (_, d) =
      loop (a, d) = (copy a, F.one) for k < n do
        let p = loop p = k while p < n && F.is_zero a[p, k] do p + 1
        in if p >= n then (a, F.zero)
           else
             let d = if p == k then d else F.sub F.zero d
             let a =
               loop a for j < n do
                 let x = copy a[k, j]
                 let y = copy a[p, j]
                 let a[k, j] = y
                 in if p == k then a else a with [p, j] = x
             let piv = copy a[k, k]
             let a =
               loop a for i' < n - k - 1 do
                 let i = k + 1 + i'
                 let f = copy (F.div a[i, k] piv)
                 in loop a for j < n do
                      let x = copy (F.sub a[i, j] (F.mul f a[k, j]))
                      in a with [i, j] = x
             in (a, F.mul d piv)
    in d
}

module smat32 = mk_smat (mk_real_field f32)

module smat64 = mk_smat (mk_real_field f64)

module smatp = mk_smat gf_small

module mk_kalman (R: real) = {
  module M = mk_smat (mk_real_field R)
  type state = ([4]R.t, [4][4]R.t)
  def c (x: f64) = R.f64 x
  -- Constant velocity in the plane, positions seen.
  def trans (dt: R.t) : [4][4]R.t =
    let (o, z) = (c 1, c 0)
    in [[o, z, dt, z], [z, o, z, dt], [z, z, o, z], [z, z, z, o]]
  def inv2 (s: [2][2]R.t) : [2][2]R.t =
    let (p, q, r, w) = (s[0, 0], s[0, 1], s[1, 0], s[1, 1])
    let d = R.(p * w - q * r)
    in [[R.(w / d), R.(neg q / d)], [R.(neg r / d), R.(p / d)]]
  def step (f: [4][4]R.t) (qn: R.t) (rn: R.t) ((x, p): state) (z: [2]R.t) : (state, R.t) =
    let x = M.mulv f x
    let p = M.add (M.mul (M.mul f p) (transpose f))
                  (tabulate_2d 4 4 (\i j -> if i == j then qn else c 0))
    let s = tabulate_2d 2 2 (\i j -> let v = p[i, j] in if i == j then R.(v + rn) else v)
    let si = inv2 s
    let k = M.mul (tabulate_2d 4 2 (\i j -> p[i, j])) si
    let (z0, z1, x0, x1) = (z[0], z[1], x[0], x[1])
    let y = [R.(z0 - x0), R.(z1 - x1)]
    let x = map2 (R.+) x (M.mulv k y)
    let p = M.sub p (M.mul k (tabulate_2d 2 4 (\i j -> p[i, j])))
    let maha = M.dot y (M.mulv si y)
    in ((x, p), R.(f64 0.5 * (maha + log (s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]))))
  def filter [n] (dt: R.t) (qn: R.t) (rn: R.t) (zs: [n][2]R.t) : ([4]R.t, R.t) =
    let f = trans dt
    let ((x, _), nll) =
      loop (s, l) = ((replicate 4 (c 0), M.eye 4), c 0) for z in zs do
        let (s, dl) = step f qn rn s z
        in (s, R.(l + dl))
    in (x, nll)
}

module kalman32 = mk_kalman f32

-- A bootstrap particle filter for stochastic volatility.
module mk_pf (R: real) (G: cbrng) = {
  module D = mk_dist R G
  def resample [n] (u: R.t) (ws: [n]R.t) : [n]i64 =
    let cum = scan (R.+) (R.i64 0) ws
    let total = cum[n - 1]
    in tabulate n (\i -> let x = R.((i64 i + u) / i64 n * total)
                         in i64.min (n - 1) (lower_bound (R.<) cum x))
  def run [t] (n: i64) (key: u64) (phi: R.t) (sig: R.t) (ys: [t]R.t) : ([t]R.t, R.t) =
    let init = tabulate n (\i -> (D.normal2 (key + 77) (u64.i64 i)).0)
    let (_, ms, ll) =
      loop (xs, ms, ll) = (init, replicate t (R.i64 0), R.i64 0) for s < t do
        let xs = map2 (\i x -> let (z, _) = D.normal2 (key + u64.i64 s) (u64.i64 i)
                               in R.(phi * x + sig * z))
                      (iota n) xs
        let y = ys[s]
        let lws = map (\x -> R.(neg (f64 0.5) * (x + y * y * exp (neg x)))) xs
        let top = R.maximum lws
        let ws = map (\l -> R.(exp (l - top))) lws
        let tot = R.sum ws
        let mean = R.(sum (map2 (*) ws xs) / tot)
        let idx = resample (D.u01 (key + 1000003) (u64.i64 s)) ws
        in (map (\i -> xs[i]) idx, ms with [s] = mean, R.(ll + top + log (tot / i64 n)))
    in (ms, ll)
}

module pf64 = mk_pf f64 squares

-- ==========================================================================
-- Gaussian processes
-- ==========================================================================

type kern 't = #rbf t | #matern32 t | #ratquad t t | #periodic t t | #white t

module mk_gp (R: real) = {
  type t = R.t
  def k1 (k: kern t) (x: t) (y: t) : t =
    let d = R.(abs (x - y))
    in match k
       case #rbf l -> R.(exp (neg (f64 0.5 * d * d / (l * l))))
       case #matern32 l -> let s = R.(f64 1.7320508 * d / l) in R.((f64 1 + s) * exp (neg s))
       case #ratquad l a -> R.((f64 1 + d * d / (f64 2 * a * l * l)) ** (neg a))
       case #periodic l p -> let s = R.(sin (pi * d / p) / l) in R.(exp (neg (f64 2 * s * s)))
       case #white s -> R.(if d == f64 0 then s else f64 0)
  def ksum [m] (ks: [m](t, kern t)) (x: t) (y: t) : t =
    loop s = R.i64 0 for (w, k) in ks do let v = k1 k x y in R.(s + w * v)
  def chol [n] (a: [n][n]t) : [n][n]t =
    let z = R.i64 0
    let l =
      loop a for j < n do
        let d = R.sqrt a[j, j]
        let col = tabulate n (\i -> if i < j then z else if i == j then d else R.(a[i, j] / d))
        in tabulate_2d n n (\r c ->
             if c == j then col[r]
             else if c > j && r > j then R.(a[r, c] - col[r] * col[c])
             else a[r, c])
    in tabulate_2d n n (\i j -> if j > i then z else l[i, j])
  def lsolve [n] (l: [n][n]t) (b: [n]t) : [n]t =
    loop b for j < n do
      let v = R.(b[j] / l[j, j])
      in tabulate n (\i -> if i < j then b[i] else if i == j then v else R.(b[i] - l[i, j] * v))
  def ltsolve [n] (l: [n][n]t) (b: [n]t) : [n]t =
    loop b for j' < n do
      let j = n - 1 - j'
      let v = R.(b[j] / l[j, j])
      in tabulate n (\i -> if i > j then b[i] else if i == j then v else R.(b[i] - l[j, i] * v))
}

module gp64 = mk_gp f64

-- ==========================================================================
-- Mixtures, clusters, trees
-- ==========================================================================

module mk_em (R: real) = {
  type comp = {w: R.t, mu: R.t, var: R.t}
  def logpdf (q: comp) (x: R.t) : R.t =
    let d = R.(x - q.mu)
    in R.(log q.w - f64 0.5 * (log (f64 6.2831853 * q.var) + d * d / q.var))
  def step [n][k] (xs: [n]R.t) (cs: [k]comp) : ([k]comp, R.t) =
    let z = R.i64 0
    let row x =
      let ls = map (\q -> logpdf q x) cs
      let top = R.maximum ls
      let es = map (\l -> R.(exp (l - top))) ls
      let s = R.sum es
      in (map (\v -> let r = R.(v / s) in (r, R.(r * x), R.(r * x * x))) es, R.(top + log s))
    let (rs, lls) = unzip (map row xs)
    let stats =
      map (\col -> reduce (\(a, b, c) (d, f, g) -> R.((a + d, b + f, c + g))) (z, z, z) col)
          (transpose rs)
    let upd (s0, s1, s2) : comp =
      let s0 = R.(s0 + f64 1e-3)
      let mu = R.(s1 / s0)
      in {w = R.(s0 / (i64 n + i64 k * f64 1e-3)), mu, var = R.(abs (s2 / s0 - mu * mu) + f64 1e-2)}
    in (map upd stats, R.(sum lls / i64 n))
}

module em32 = mk_em f32

module type metric = {
  type t
  val dist [d] : [d]t -> [d]t -> t
}

module l1_int = {
  type t = i64
  def dist [d] (a: [d]t) (b: [d]t) : t =
    loop s = 0i64 for i < d do s + i64.abs (a[i] - b[i])
}

module l2sq_f64 = {
  type t = f64
  def dist [d] (a: [d]t) (b: [d]t) : t =
    loop s = 0f64 for i < d do s + (a[i] - b[i]) * (a[i] - b[i])
}

-- Lloyd's algorithm in whole numbers, thus the same everywhere.
module mk_lloyd (M: metric with t = i64) = {
  def assign [n][k][d] (xs: [n][d]i64) (cs: [k][d]i64) : [n]i64 =
    map (\x -> (loop (b, bi) = (i64.highest, 0) for j < k do
                  let v = M.dist x cs[j]
                  in if v < b then (v, j) else (b, bi)).1)
        xs
  def update [n][k][d] (xs: [n][d]i64) (cs: [k][d]i64) (as: [n]i64) : [k][d]i64 =
    let cnt = hist (+) 0i64 k as (replicate n 1)
    let sums = reduce_by_index (replicate k (replicate d 0i64)) (map2 (+)) (replicate d 0) as xs
    in map3 (\c s old -> if c == 0 then old else map (/ c) s) cnt sums cs
}

module lloyd_l1 = mk_lloyd l1_int

module mk_fcm (M: metric with t = f64) = {
  def member [k][d] (cs: [k][d]f64) (x: [d]f64) : [k]f64 =
    let inv = map (\c -> 1 / (M.dist x c + 1e-3)) cs
    let s = f64.sum inv
    in map (/ s) inv
  def step [n][k][d] (xs: [n][d]f64) (cs: [k][d]f64) : [k][d]f64 =
    let us = map (\x -> map (\u -> u * u) (member cs x)) xs
    let xt = transpose xs
    in map (\u -> let s = f64.sum u
                  in map (\col -> f64.sum (map2 (*) u col) / s) xt)
           (transpose us)
}

module fcm64 = mk_fcm l2sq_f64

-- Classification trees of a fixed depth on binned features.
module mk_tree (I: {val impurity : f64 -> f64}) = {
  def score (pos: i32) (tot: i32) : f64 =
    if tot == 0 then 0 else f64.i32 tot * I.impurity (f64.i32 pos / f64.i32 tot)
  def grow [n][f] (depth: i64) (bins: i64) (x: [n][f]u8) (y: [n]bool) : ([n]i64, []i64, []i64) =
    let total = (1 << depth) - 1
    let bin (v: u8) = i64.u8 v % bins
    in loop (node, feats, thrs) = (replicate n 0, replicate total 0, replicate total 0) for lev < depth do
         let nn = 1i64 << lev
         let idx = flatten (map2 (\r nd -> tabulate f (\j -> (nd * f + j) * bins + bin r[j])) x node)
         let pos = flatten (map (\b -> replicate f (i32.bool b)) y)
         let cnt = reduce_by_index (replicate (nn * f * bins) (0i32, 0i32))
                                   (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
                                   idx (map (\p -> (1, p)) pos)
         let best =
           map (\nodeh ->
                  let cums = map (scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)) nodeh
                  let gains =
                    map (\c -> let (t, p) = last c
                               -- in whole numbers, so that ties are ties
                               in map (\(tl, pl) ->
                                         i64.f64 (f64.round (1048576.37 * (score p t - score pl tl - score (p - pl) (t - tl)))))
                                      c)
                        (cums :> [f][bins](i32, i32))
                  in argbest (>) (-1) (flatten gains))
               (unflatten_3d cnt)
         let bf = map (\(_, i) -> if i < f * bins then i / bins else 0) best
         let bt = map (\(_, i) -> i % bins) best
         let node = map2 (\nd r -> nd * 2 + i64.bool (bin r[bf[nd]] > bt[nd])) node x
         let at = map (+ (nn - 1)) (iota nn)
         in (node, scatter feats at bf, scatter thrs at bt)
}

module gini_tree = mk_tree {def impurity (p: f64) = 2 * p * (1 - p)}

module sqrt_tree = mk_tree {def impurity (p: f64) = f64.sqrt (p * (1 - p))}

-- ==========================================================================
-- Learning by vjp
-- ==========================================================================

module type loss = {
  type t
  val f : t -> t -> t
}

module mk_huber (R: real) = {
  type t = R.t
  -- pseudo-Huber
  def f (p: t) (y: t) : t = let d = R.(p - y) in R.(sqrt (i64 1 + d * d) - i64 1)
}

module mk_square (R: real) = {
  type t = R.t
  def f (p: t) (y: t) : t = let d = R.(p - y) in R.(d * d)
}

module mk_adam (R: real) = {
  type slot = {w: R.t, m: R.t, v: R.t}
  def fresh (w: R.t) : slot = {w, m = R.i64 0, v = R.i64 0}
  def update (lr: R.t) (t: i64) (s: slot) (g: R.t) : slot =
    let m = R.(f64 0.9 * s.m + f64 0.1 * g)
    let v = R.(f64 0.99 * s.v + f64 0.01 * g * g)
    let mh = R.(m / (i64 1 - f64 0.9 ** i64 t))
    let vh = R.(v / (i64 1 - f64 0.99 ** i64 t))
    in {w = R.(s.w - lr * mh / (sqrt vh + f64 1e-3)), m, v}
}

module mk_mlp (R: real) (L: loss with t = R.t) = {
  module A = mk_adam R
  type params [d][h] = ([h][d]R.t, [h]R.t, [h]R.t)
  def forward [d][h] ((w1, b1, w2): params [d][h]) (x: [d]R.t) : R.t =
    let hid = map2 (\w b -> R.(tanh (sum (map2 (*) w x) + b))) w1 b1
    in R.(sum (map2 (*) w2 hid))
  def cost [n][d][h] (xs: [n][d]R.t) (ys: [n]R.t) (p: params [d][h]) : R.t =
    R.(sum (map2 (\x y -> L.f (forward p x) y) xs ys) / i64 n)
  def train [n][d][h] (steps: i64) (lr: R.t) (xs: [n][d]R.t) (ys: [n]R.t) ((w1, b1, w2): params [d][h])
    : (params [d][h], R.t) =
    let get s = map (\q -> q.w) s
    let init = (map (map A.fresh) w1, map A.fresh b1, map A.fresh w2)
    let weights (s1: [h][d]A.slot, t1: [h]A.slot, s2: [h]A.slot) : params [d][h] =
      (map get s1, get t1, get s2)
    let (s1, t1, s2) =
      loop (s1, t1, s2) = init for i < steps do
        let (g1, gb, g2) = vjp (cost xs ys) (weights (s1, t1, s2)) (R.i64 1)
        let up = A.update lr (i + 1)
        in (map2 (map2 up) s1 g1, map2 up t1 gb, map2 up s2 g2)
    let p = weights (s1, t1, s2)
    in (p, cost xs ys p)
}

module mlp32 = mk_mlp f32 (mk_huber f32)

module mlp64 = mk_mlp f64 (mk_square f64)

-- Gauss-Newton with jvp columns, one small fit a row: y = a exp(-b t) + c.
module mk_gauss_newton (R: real) = {
  module S = mk_smat (mk_real_field R)
  def solve3 (a: [3][3]R.t) (b: [3]R.t) : [3]R.t =
    let d = S.det a
    in tabulate 3 (\k -> let dk = S.det (tabulate_2d 3 3 (\i j -> if j == k then b[i] else a[i, j]))
                         in R.(dk / d))
  def fit [n] (model: [3]R.t -> R.t -> R.t) (iters: i64) (lambda: R.t) (ts: [n]R.t) (ys: [n]R.t) (p0: [3]R.t) : [3]R.t =
    loop p = p0 for _i < iters do
      let f (q: [3]R.t) : [n]R.t = map (model q) ts
      let col k = jvp f p (tabulate 3 (\i -> R.i64 (i64.bool (i == k))))
      let js = [col 0, col 1, col 2]
      let r = map2 (R.-) ys (f p)
      let jtj = tabulate_2d 3 3 (\i j -> let v = S.dot js[i] js[j] in if i == j then R.(v + lambda) else v)
      let jtr = map (\c -> S.dot c r) js
      in map2 (R.+) p (solve3 jtj jtr)
}

module gn64 = mk_gauss_newton f64

-- ==========================================================================
-- Semirings: graphs and dynamic programs
-- ==========================================================================

module minplus32 = {
  type t = f32
  def zero = 1e30f32
  def one = 0f32
  def add = f32.min
  def mul (a: t) (b: t) = f32.min 1e30 (a + b)
}

module maxmin_i32 = {
  type t = i32
  def zero = i32.lowest
  def one = i32.highest
  def add = i32.max
  def mul = i32.min
}

module maxplus64 = {
  type t = f64
  def zero = -1e30f64
  def one = 0f64
  def add = f64.max
  def mul (a: t) (b: t) = f64.max (-1e30) (a + b)
}

module log64 = {
  type t = f64
  def zero = -1e30f64
  def one = 0f64
  def add (a: t) (b: t) =
    let m = f64.max a b
    in m + f64.log1p (f64.exp (f64.min a b - m))
  def mul (a: t) (b: t) = f64.max (-1e30) (a + b)
}

module mk_pair_ring (A: semiring) (B: semiring) = {
  type t = (A.t, B.t)
  def zero = (A.zero, B.zero)
  def one = (A.one, B.one)
  def add ((a, b): t) ((c, d): t) : t = (A.add a c, B.add b d)
  def mul ((a, b): t) ((c, d): t) : t = (A.mul a c, B.mul b d)
}

module mk_graph (S: semiring) = {
  def matmul [n][m][p] (a: [n][m]S.t) (b: [m][p]S.t) : [n][p]S.t =
    map (\r -> map (\c -> reduce S.add S.zero (map2 S.mul r c)) (transpose b)) a
  def closure [n] (a: [n][n]S.t) : [n][n]S.t =
    let a = tabulate_2d n n (\i j -> if i == j then S.add S.one a[i, j] else a[i, j])
    in loop a for _i < ceil_log2 n do matmul a a
  def warshall [n] (a: [n][n]S.t) : [n][n]S.t =
    loop a for k < n do
      let row = copy a[k]
      let col = copy a[:, k]
      in tabulate_2d n n (\i j -> S.add a[i, j] (S.mul col[i] row[j]))
  -- y = x A with A as a list of edges
  def vecedges [n][e] (src: [e]i64) (dst: [e]i64) (w: [e]S.t) (x: [n]S.t) : [n]S.t =
    reduce_by_index (replicate n S.zero) S.add S.zero dst (map2 (\s v -> S.mul x[s] v) src w)
}

module graph_minplus = mk_graph minplus32

module graph_bottleneck = mk_graph maxmin_i32

module graph_count = mk_graph gf_ntt

module graph_both = mk_graph (mk_pair_ring minplus32 gf_ntt)

module mk_hmm (S: semiring) = {
  def forward [k][t] (init: [k]S.t) (trans: [k][k]S.t) (emit: i64 -> i64 -> S.t) (obs: [t]i64) : S.t =
    let tt = transpose trans
    let a =
      loop a = init for o in obs do
        tabulate k (\j -> S.mul (emit j o) (reduce S.add S.zero (map2 S.mul a tt[j])))
    in reduce S.add S.zero a
}

module hmm_viterbi = mk_hmm maxplus64

module hmm_log = mk_hmm log64

-- Alignments by anti-diagonals: one wavefront, any scoring semiring.
module mk_align (S: semiring) = {
  def global [n][m] (sub: u8 -> u8 -> S.t) (gap: S.t) (xs: [n]u8) (ys: [m]u8) : S.t =
    -- diagonal d holds cells (i, d - i), indexed by i
    let edge i = loop s = S.one for _k < i do S.mul s gap
    let d0 = tabulate (n + 1) (\i -> if i == 0 then S.one else S.zero)
    let (_, last) =
      loop (p2, p1) = (replicate (n + 1) S.zero, d0) for d' < n + m do
        let d = d' + 1
        let cur =
          tabulate (n + 1) (\i ->
            let j = d - i
            in if j < 0 || j > m then S.zero
               else if i == 0 || j == 0 then edge d
               else S.add (S.mul p2[i - 1] (sub xs[i - 1] ys[j - 1]))
                          (S.mul gap (S.add p1[i - 1] p1[i])))
        in (p1, cur)
    in last[n]
}

module align_best = mk_align maxplus64

module align_all = mk_align log64

-- ==========================================================================
-- Interval and affine arithmetic, dual numbers: one ring interface
-- ==========================================================================

module type ring_of = {
  type r
  type t
  val const : r -> t
  val add : t -> t -> t
  val sub : t -> t -> t
  val mul : t -> t -> t
}

module mk_interval (R: real) = {
  type r = R.t
  type t = {lo: R.t, hi: R.t}
  def const (x: r) : t = {lo = x, hi = x}
  def make (lo: r) (hi: r) : t = {lo, hi}
  def add (a: t) (b: t) : t = {lo = R.(a.lo + b.lo), hi = R.(a.hi + b.hi)}
  def sub (a: t) (b: t) : t = {lo = R.(a.lo - b.hi), hi = R.(a.hi - b.lo)}
  def mul (a: t) (b: t) : t =
    let (p, q, s, u) = R.((a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi))
    in {lo = R.(min (min p q) (min s u)), hi = R.(max (max p q) (max s u))}
  def hull (a: t) (b: t) : t = {lo = R.min a.lo b.lo, hi = R.max a.hi b.hi}
  def width (a: t) : r = R.(a.hi - a.lo)
}

-- Affine forms with a fixed number of noise symbols and one for errors.
module mk_affine (R: real) (K: {val k : i64}) = {
  type r = R.t
  type t = {mid: R.t, dev: [K.k]R.t, err: R.t}
  def z = R.i64 0
  def const (x: r) : t = {mid = x, dev = replicate K.k z, err = z}
  def make (i: i64) (lo: r) (hi: r) : t =
    {mid = R.(f64 0.5 * (lo + hi)),
     dev = tabulate K.k (\j -> if j == i then R.(f64 0.5 * (hi - lo)) else z),
     err = z}
  def add (a: t) (b: t) : t =
    {mid = R.(a.mid + b.mid), dev = map2 (R.+) a.dev b.dev, err = R.(a.err + b.err)}
  def sub (a: t) (b: t) : t =
    {mid = R.(a.mid - b.mid), dev = map2 (R.-) a.dev b.dev, err = R.(a.err + b.err)}
  def rad (a: t) : r = loop s = a.err for d in a.dev do R.(s + abs d)
  def mul (a: t) (b: t) : t =
    let (ra, rb) = (rad a, rad b)
    in {mid = R.(a.mid * b.mid),
        dev = map2 (\x y -> R.(a.mid * y + b.mid * x)) a.dev b.dev,
        err = R.(ra * rb + abs a.mid * b.err + abs b.mid * a.err)}
  def width (a: t) : r = let q = rad a in R.(f64 2 * q)
}

module mk_dual (R: real) = {
  type r = R.t
  type t = {v: R.t, d: R.t}
  def const (x: r) : t = {v = x, d = R.i64 0}
  def var (x: r) : t = {v = x, d = R.i64 1}
  def add (a: t) (b: t) : t = {v = R.(a.v + b.v), d = R.(a.d + b.d)}
  def sub (a: t) (b: t) : t = {v = R.(a.v - b.v), d = R.(a.d - b.d)}
  def mul (a: t) (b: t) : t = {v = R.(a.v * b.v), d = R.(a.v * b.d + a.d * b.v)}
}

module mk_poly (A: ring_of) = {
  def horner [n] (cs: [n]A.r) (x: A.t) : A.t =
    loop s = A.const cs[n - 1] for i < n - 1 do A.add (A.mul s x) (A.const cs[n - 2 - i])
  -- the same by Chebyshev polynomials (Clenshaw)
  def clenshaw [n] (two: A.t) (cs: [n]A.r) (x: A.t) : A.t =
    let zero = A.sub two two
    let (b1, b2) =
      loop (b1, b2) = (zero, zero) for i < n - 1 do
        (A.add (A.sub (A.mul (A.mul two x) b1) b2) (A.const cs[n - 1 - i]), b1)
    in A.add (A.sub (A.mul x b1) b2) (A.const cs[0])
}

module iv64 = mk_interval f64

module three = {def k = 3i64}

module af64 = mk_affine f64 three

module du32 = mk_dual f32

module poly_iv = mk_poly iv64

module poly_af = mk_poly af64

module poly_du = mk_poly du32

-- ==========================================================================
-- Signed distances by cases
-- ==========================================================================

type shape = #sphere v3f.v f32 | #box v3f.v v3f.v | #plane f32 | #torus v3f.v f32 f32

module sdf = {
  def dist (s: shape) (p: v3f.v) : f32 =
    match s
    case #sphere c r -> v3f.norm (v3f.sub p c) - r
    case #plane h -> p.y - h
    case #box c e ->
      let d = v3f.sub p c
      let q : v3f.v = {x = f32.abs d.x - e.x, y = f32.abs d.y - e.y, z = f32.abs d.z - e.z}
      let o : v3f.v = {x = f32.max q.x 0, y = f32.max q.y 0, z = f32.max q.z 0}
      in v3f.norm o + f32.min 0 (f32.max q.x (f32.max q.y q.z))
    case #torus c a b ->
      let d = v3f.sub p c
      let q = f32.sqrt (d.x * d.x + d.z * d.z) - a
      in f32.sqrt (q * q + d.y * d.y) - b
  -- polynomial smooth minimum
  def smin (k: f32) (a: f32) (b: f32) : f32 =
    let h = f32.max 0 (k - f32.abs (a - b)) / k
    in f32.min a b - h * h * k * 0.25
  def scene [n] (ss: [n]shape) (p: v3f.v) : f32 =
    loop d = 20f32 for s in ss do smin 0.3 d (dist s p)
  -- A volumetric march at fixed steps: optical depth and glow are smooth.
  def march [n] (ss: [n]shape) (steps: i64) (o: v3f.v) (dir: v3f.v) : (f32, f32) =
    let h = 6 / f32.i64 steps
    let (tr, glow) =
      loop (tr, glow) = (1f32, 0f32) for i < steps do
        let p = v3f.add o (v3f.scale (h * (f32.i64 i + 0.5)) dir)
        let d = scene ss p
        let dens = 4 / (1 + f32.exp (8 * d))
        in (tr * f32.exp (-h * dens), glow + tr * h * f32.exp (-d * d) * (0.5 + 0.5 * p.y * 0.1))
    in (1 - tr, glow)
}

-- ==========================================================================
-- Automata, by scans of compositions
-- ==========================================================================

module type dfa = {
  val delta : i64 -> u8 -> i64
  val accept : i64 -> bool
}

-- States 0..7, a transition function packed a byte a state.
module mk_matcher (D: dfa) = {
  type f = u64
  def app (f: f) (s: i64) : i64 = i64.u64 ((f >> (8 * u64.i64 s)) & 7)
  def lift (c: u8) : f =
    loop r = 0u64 for s < 8 do r | (u64.i64 (D.delta s c & 7) << (8 * u64.i64 s))
  def comp (f: f) (g: f) : f =
    loop r = 0u64 for s < 8 do r | (u64.i64 (app g (app f s)) << (8 * u64.i64 s))
  def id : f = loop r = 0u64 for s < 8 do r | (u64.i64 s << (8 * u64.i64 s))
  def states [n] (cs: [n]u8) : [n]i64 =
    map (\f -> app f 0) (scan comp id (map lift cs))
  def matches [n] (cs: [n]u8) : [n]bool = map D.accept (states cs)
}

-- Accepts after each of: a (b | c c)* d, searched from anywhere greedily.
module abccd = mk_matcher {
  def delta (s: i64) (c: u8) : i64 =
    let c = c % 5
    in if c == 0 then 1
       else if s == 1 && c == 1 then 1
       else if s == 1 && c == 2 then 2
       else if s == 2 && c == 2 then 1
       else if s == 1 && c == 3 then 3
       else 0
  def accept (s: i64) = s == 3
}

-- Running residue of a binary number mod 7, with resets at multiples of 16.
module mod7 = mk_matcher {
  def delta (s: i64) (c: u8) : i64 = if c % 16 == 15 then 0 else (2 * s + i64.u8 (c & 1)) % 7
  def accept (s: i64) = s == 5
}

-- Segmented operations over any monoid.
module mk_seg (M: monoid) = {
  def scan [n] (fs: [n]bool) (xs: [n]M.t) : [n]M.t =
    map (.1) (scan (\(f, x) (g, y) -> (f || g, if g then y else M.op x y)) (false, M.ne) (zip fs xs))
  def reduce [n] (fs: [n]bool) (xs: [n]M.t) : []M.t =
    let ss = scan fs xs
    let ends = tabulate n (\i -> i == n - 1 || fs[i + 1])
    in map (.1) (filter (.0) (zip ends ss))
}

module welford = {
  type t = (f64, f64, f64)
  def ne : t = (0, 0, 0)
  def op ((n, m, s): t) ((k, p, q): t) : t =
    let c = n + k
    in if c == 0 then ne
       else let d = p - m
            in (c, m + d * k / c, s + q + d * d * n * k / c)
}

module affine_maps = {
  type t = (f64, f64)
  def ne : t = (1, 0)
  def op ((a, b): t) ((c, d): t) : t = (a * c, b * c + d)
}

-- the longest run of true within a segment
module runs = {
  type t = {best: i32, pre: i32, suf: i32, len: i32}
  def ne : t = {best = 0, pre = 0, suf = 0, len = 0}
  def op (a: t) (b: t) : t =
    {best = i32.max (i32.max a.best b.best) (a.suf + b.pre),
     pre = if a.pre == a.len then a.len + b.pre else a.pre,
     suf = if b.suf == b.len then b.len + a.suf else b.suf,
     len = a.len + b.len}
}

module seg_welford = mk_seg welford

module seg_affine = mk_seg affine_maps

module seg_runs = mk_seg runs

-- ==========================================================================
-- Whole numbers: NTT, big integers, fixed point
-- ==========================================================================

module mk_ntt (F: {type t val zero : t val one : t val add : t -> t -> t val sub : t -> t -> t
                   val mul : t -> t -> t val root : i64 -> t val inv_int : i64 -> t val inv : t -> t}) = {
  def transform [n] (w: F.t) (xs: [n]F.t) : [n]F.t =
    let tw = scan F.mul F.one (tabulate n (\i -> if i == 0 then F.one else w))
    in loop xs for s < floor_log2 n do
         let ns = 1i64 << s
         in tabulate n (\o ->
              let r = o % (2 * ns)
              let k = r % ns
              let j = (o / (2 * ns)) * ns + k
              let v1 = F.mul tw[k * (n / (2 * ns))] xs[j + n / 2]
              in if r < ns then F.add xs[j] v1 else F.sub xs[j] v1)
  def polymul [a][b] (xs: [a]F.t) (ys: [b]F.t) : []F.t =
    let n = 1i64 << ceil_log2 (a + b)
    let pad [k] (v: [k]F.t) = tabulate n (\i -> if i < k then v[i] else F.zero)
    let w = F.root n
    let zs = map2 F.mul (transform w (pad xs)) (transform w (pad ys))
    let s = F.inv_int n
    in map (F.mul s) (take (a + b - 1) (transform (F.inv w) zs))
}

module ntt = mk_ntt {
  open gf_ntt
  def root (n: i64) : u64 = gf_ntt.pow 3 (998244352 / u64.i64 n)
  def inv_int (n: i64) : u64 = gf_ntt.inv (u64.i64 n)
}

module mk_bigint (L: {val limbs : i64}) = {
  type t = [L.limbs]u32
  def of_u32 (x: u32) : t = tabulate L.limbs (\i -> if i == 0 then x else 0)
  def add (a: t) (b: t) : t =
    let (r, _) =
      loop (r, c) = (replicate L.limbs 0u32, 0u64) for i < L.limbs do
        let s = u64.u32 a[i] + u64.u32 b[i] + c
        in (r with [i] = u32.u64 s, s >> 32)
    in r
  def sub (a: t) (b: t) : t = add (add a (map (\x -> !x) b)) (of_u32 1)
  def mul (a: t) (b: t) : t =
    loop r = replicate L.limbs 0u32 for i < L.limbs do
      let (r, _) =
        loop (r, c) = (r, 0u64) for j < L.limbs - i do
          let s = u64.u32 a[i] * u64.u32 b[j] + u64.u32 r[i + j] + c
          in (r with [i + j] = u32.u64 s, s >> 32)
      in r
  -- addition of long numbers by a carry-lookahead scan, for the same limbs
  def add_scan (a: t) (b: t) : t =
    let s = map2 (+) a b
    let gp = map2 (\x z -> (z < x, z == u32.highest)) a s
    let cs = scan (\(g, p) (h, q) -> (h || (q && g), p && q)) (false, true) gp
    in tabulate L.limbs (\i -> if i > 0 && cs[i - 1].0 then s[i] + 1 else s[i])
}

module eight = {def limbs = 8i64}

module big256 = mk_bigint eight

module thousand = {def limbs = 1024i64}

module big32k = mk_bigint thousand

module type fixed_spec = {
  val frac : i64
}

module mk_fixed (P: fixed_spec) = {
  type t = i64
  def of_i64 (x: i64) : t = x << P.frac
  def ratio (a: i64) (b: i64) : t = (a << P.frac) / b
  def add (a: t) (b: t) : t = a + b
  def sub (a: t) (b: t) : t = a - b
  def mul (a: t) (b: t) : t = (a * b) >> P.frac
}

module fix20 = mk_fixed {def frac = 20i64}

module fix12 = mk_fixed {def frac = 12i64}

-- ==========================================================================
-- Linear solvers and spectra
-- ==========================================================================

module mk_krylov (R: real) = {
  def dot [n] (a: [n]R.t) (b: [n]R.t) : R.t = R.sum (map2 (R.*) a b)
  def cg [n] (op: [n]R.t -> [n]R.t) (prec: [n]R.t) (iters: i64) (b: [n]R.t) : ([n]R.t, R.t) =
    let tiny = R.f64 1e-30
    let z0 = map2 (R.*) prec b
    let (x, r, _, _) =
      loop (x, r, p, rz) = (replicate n (R.i64 0), b, z0, dot b z0) for _i < iters do
        let q = op p
        let alpha = let pq = dot p q in R.(rz / (pq + tiny))
        let x = map2 (\a d -> R.(a + alpha * d)) x p
        let r = map2 (\a d -> R.(a - alpha * d)) r q
        let z = map2 (R.*) prec r
        let rz' = dot r z
        let beta = R.(rz' / (rz + tiny))
        in (x, r, map2 (\a d -> R.(a + beta * d)) z p, rz')
    in (x, R.sqrt (dot r r))
  -- GMRES without restarts, m steps, Givens rotations.
  def gmres [n] (op: [n]R.t -> [n]R.t) (m: i64) (b: [n]R.t) : ([n]R.t, R.t) =
    let z = R.i64 0
    let tiny = R.f64 1e-20
    let beta = R.(sqrt (dot b b) + tiny)
    let vs0 = tabulate_2d (m + 1) n (\i j -> if i == 0 then let bj = b[j] in R.(bj / beta) else z)
    let g0 = tabulate (m + 1) (\i -> if i == 0 then beta else z)
    let (vs, h, _, _, g) =
      loop (vs, h, cs, sn, g) = (vs0, replicate m (replicate (m + 1) z), replicate m z, replicate m z, g0) for k < m do
        let w0 = op (copy vs[k])
        -- modified Gram-Schmidt
        let (w, col) =
          loop (w, col) = (w0, replicate (m + 1) z) for i < k + 1 do
            let d = dot w vs[i]
            in (map2 (\a v -> R.(a - d * v)) w vs[i], col with [i] = copy d)
        let nw = R.sqrt (dot w w)
        let vs = vs with [k + 1] = map (\a -> R.(a / (nw + tiny))) w
        let col = col with [k + 1] = copy nw
        let col =
          loop col for i < k do
            let (a, d) = (copy col[i], copy col[i + 1])
            let (c, s) = (cs[i], sn[i])
            let col = col with [i] = copy R.(c * a + s * d)
            in col with [i + 1] = copy R.(c * d - s * a)
        let (a, d) = (copy col[k], copy col[k + 1])
        let rr = R.(sqrt (a * a + d * d) + tiny)
        let (c, s) = R.((a / rr, d / rr))
        let col = col with [k] = copy rr
        let col = col with [k + 1] = R.i64 0
        let gk = copy g[k]
        let g = g with [k + 1] = copy R.(neg (s * gk))
        let g = g with [k] = copy R.(c * gk)
        in (vs, h with [k] = col, cs with [k] = copy c, sn with [k] = copy s, g)
    let y =
      loop y = replicate m z for k' < m do
        let k = m - 1 - k'
        let s = loop s = copy g[k] for j' < m - 1 - k do
                  let j = k + 1 + j'
                  in R.(s - h[j, k] * y[j])
        in y with [k] = copy R.(s / h[k, k])
    let x = tabulate n (\j -> loop s = z for i < m do R.(s + y[i] * vs[i, j]))
    in (x, R.abs g[m])
}

module krylov64 = mk_krylov f64

module krylov32 = mk_krylov f32

module mk_jacobi (R: real) = {
  def rot (app: R.t) (aqq: R.t) (apq: R.t) : (R.t, R.t) =
    if R.(abs apq < f64 1e-30) then (R.i64 1, R.i64 0)
    else let th = R.((aqq - app) / (f64 2 * apq))
         let sg = R.(if th >= i64 0 then i64 1 else neg (i64 1))
         let t = R.(sg / (abs th + sqrt (th * th + i64 1)))
         let c = R.(i64 1 / sqrt (t * t + i64 1))
         in (c, R.(t * c))
  def eigenvalues [n] (sweeps: i64) (a: [n][n]R.t) : [n]R.t =
    let a =
      loop a = copy a for k < sweeps * n * n do
        let p = (k / n) % n
        let q = k % n
        in if p >= q then a
           else
             let (c, s) = rot (copy a[p, p]) (copy a[q, q]) (copy a[p, q])
             let a =
               loop a for i < n do
                 let (x, y) = (copy a[i, p], copy a[i, q])
                 let a[i, p] = copy R.(c * x - s * y)
                 let a[i, q] = copy R.(s * x + c * y)
                 in a
             in loop a for i < n do
                  let (x, y) = (copy a[p, i], copy a[q, i])
                  let a[p, i] = copy R.(c * x - s * y)
                  let a[q, i] = copy R.(s * x + c * y)
                  in a
    in bubble (R.<=) (tabulate n (\i -> a[i, i]))
  -- one-sided: singular values of the columns of a^T
  def singular [m][n] (sweeps: i64) (at: [n][m]R.t) : [n]R.t =
    let dot (x: [m]R.t) (y: [m]R.t) = loop s = R.i64 0 for i < m do R.(s + x[i] * y[i])
    let at =
      loop at = copy at for k < sweeps * n * n do
        let p = (k / n) % n
        let q = k % n
        in if p >= q then at
           else
             let (x, y) = (copy at[p], copy at[q])
             let (c, s) = rot (dot x x) (dot y y) (dot x y)
             let at[p] = map2 (\a b -> R.(c * a - s * b)) x y
             let at[q] = map2 (\a b -> R.(s * a + c * b)) x y
             in at
    in bubble (R.>=) (map (\r -> R.sqrt (dot r r)) at)
}

module jacobi32 = mk_jacobi f32

module jacobi64 = mk_jacobi f64

-- ==========================================================================
-- Quadrature
-- ==========================================================================

module mk_quad (R: real) = {
  def simpson (f: R.t -> R.t) (a: R.t) (b: R.t) : R.t =
    R.((b - a) / f64 6 * (f a + f64 4 * f (f64 0.5 * (a + b)) + f b))
  -- adaptive, with a stack of intervals
  def adaptive (depth: i64) (tol: R.t) (f: R.t -> R.t) (a: R.t) (b: R.t) : R.t =
    let stack0 = replicate 32 (R.i64 0, R.i64 0, 0i64) with [0] = (a, b, 0)
    let (_, _, s) =
      loop (st, sp, s) = (stack0, 1i64, R.i64 0) while sp > 0 do
        let (a, b, d) = copy st[sp - 1]
        let m = R.(f64 0.5 * (a + b))
        let whole = simpson f a b
        let halves = R.(simpson f a m + simpson f m b)
        let er = R.(halves - whole)
        in if R.(abs er <= tol * (b - a)) || d >= i64.min depth 28
           then (st, sp - 1, R.(s + halves + er / f64 15))
           else let st = st with [sp - 1] = copy (m, b, d + 1)
                let st = st with [sp] = copy (a, m, d + 1)
                in (st, sp + 1, s)
    in s
  -- nodes and weights of Gauss-Legendre by Newton's method
  def legendre (n: i64) (x: R.t) : (R.t, R.t) =
    let (p0, p1) =
      loop (p0, p1) = (R.i64 1, x) for k' < n - 1 do
        let k = R.i64 (k' + 2)
        in (p1, R.(((f64 2 * k - i64 1) * x * p1 - (k - i64 1) * p0) / k))
    in (p1, R.(i64 n * (x * p1 - p0) / (x * x - i64 1)))
  def gauss (n: i64) : ([n]R.t, [n]R.t) =
    unzip (tabulate n (\i ->
             let x0 = R.(cos (pi * (i64 i + f64 0.75) / (i64 n + f64 0.5)))
             let x = loop x = x0 for _k < 8 do let (p, d) = legendre n x in R.(x - p / d)
             let (_, d) = legendre n x
             in (x, R.(f64 2 / ((i64 1 - x * x) * d * d)))))
}

module quad64 = mk_quad f64

-- ==========================================================================
-- Time series
-- ==========================================================================

module mk_ar (R: real) = {
  -- Levinson-Durbin on autocovariances 0..p
  def levinson [q] (p: i64) (r: [q]R.t) : ([p]R.t, R.t) =
    let z = R.i64 0
    in loop (a, v) = (replicate p z, r[0]) for k < p do
         let acc = loop s = r[k + 1] for j < k do
                     let (x, y) = (a[j], r[k - j])
                     in R.(s - x * y)
         let kk = R.(acc / v)
         let a' = tabulate p (\j -> if j < k then let (x, y) = (a[j], a[k - 1 - j]) in R.(x - kk * y)
                                    else if j == k then kk else z)
         in (a', R.(v * (i64 1 - kk * kk)))
  def fit [n] (p: i64) (xs: [n]R.t) : ([p]R.t, R.t, R.t) =
    let mu = R.(sum xs / i64 n)
    let ys = map (\x -> R.(x - mu)) xs
    let cov = tabulate (p + 1) (\l ->
                let s = R.sum (tabulate n (\i -> if i + l < n then let (a, b) = (ys[i], ys[i + l]) in R.(a * b) else R.i64 0))
                in R.(s / i64 n))
    let cov = tabulate (p + 1) (\l -> let c = cov[l] in if l == 0 then R.(c + f64 1e-3) else c)
    let (a, v) = levinson p cov
    in (a, v, mu)
  def forecast [n][p] (h: i64) (mu: R.t) (a: [p]R.t) (xs: [n]R.t) : [h]R.t =
    let hist0 = tabulate p (\j -> if j < n then let x = xs[n - 1 - j] in R.(x - mu) else R.i64 0)
    let (_, out) =
      loop (hs, out) = (hist0, replicate h (R.i64 0)) for t < h do
        let nx = loop s = R.i64 0 for j < p do let (x, y) = (a[j], hs[j]) in R.(s + x * y)
        let hs = tabulate p (\j -> if j == 0 then nx else hs[j - 1])
        in (hs, out with [t] = copy R.(nx + mu))
    in out
}

module ar32 = mk_ar f32

type model = #simple f64 | #trend f64 f64 | #seasonal f64 f64 f64

module smoothing = {
  def sse [n] (period: i64) (m: model) (xs: [n]f64) : f64 =
    let (a, b, g) = match m
                    case #simple a -> (a, 0, 0)
                    case #trend a b -> (a, b, 0)
                    case #seasonal a b g -> (a, b, g)
    let (_, _, _, e) =
      loop (l, t, seas, e) = (xs[0], 0f64, replicate period 0f64, 0f64) for i < n do
        let k = i % period
        let s = seas[k]
        let err = xs[i] - (l + t + s)
        let l' = l + t + a * err
        in (l', t + a * b * err, seas with [k] = s + g * (1 - a) * err, e + err * err)
    in e / f64.i64 n
}

-- ==========================================================================
-- Images and views
-- ==========================================================================

module mk_image (R: real) = {
  type^ warp = (R.t, R.t) -> (R.t, R.t)
  def sample [h][w] (img: [h][w]R.t) ((y, x): (R.t, R.t)) : R.t =
    let (fy, fx) = (R.floor y, R.floor x)
    let (i, j) = (R.to_i64 fy, R.to_i64 fx)
    let at a b = img[clampi 0 (h - 1) a, clampi 0 (w - 1) b]
    let (p, q, r, s) = (at i j, at i (j + 1), at (i + 1) j, at (i + 1) (j + 1))
    let (u, v) = R.((y - fy, x - fx))
    in R.((i64 1 - u) * ((i64 1 - v) * p + v * q) + u * ((i64 1 - v) * r + v * s))
  def warp [h][w] (f: warp) (img: [h][w]R.t) : [h][w]R.t =
    let (cy, cx) = R.((i64 h / i64 2, i64 w / i64 2))
    in tabulate_2d h w (\i j ->
         let (y, x) = f R.((i64 i - cy, i64 j - cx))
         in sample img R.((y + cy, x + cx)))
  def rotate (a: R.t) : warp = \(y, x) -> R.((cos a * y + sin a * x, cos a * x - sin a * y))
  def zoom (s: R.t) : warp = \(y, x) -> R.((y * s, x * s))
  def swirl (k: R.t) (rad: R.t) : warp =
    \(y, x) -> let r2 = R.((x * x + y * y) / (rad * rad))
               in rotate R.(k * exp (neg r2)) (y, x)
  def ripple (amp: R.t) (len: R.t) : warp = \(y, x) -> R.((y + amp * sin (x / len), x + amp * cos (y / len)))
}

module image64 = mk_image f64

module image16 = mk_image f16

-- Views with strides.
module strided = {
  type view [n] 't = {data: [n]t, off: i64, sh: (i64, i64), st: (i64, i64)}
  def of_flat [n] 't (data: [n]t) (r: i64) (c: i64) : view [n] t = {data, off = 0, sh = (r, c), st = (c, 1)}
  def transp [n] 't (v: view [n] t) : view [n] t =
    {data = v.data, off = v.off, sh = (v.sh.1, v.sh.0), st = (v.st.1, v.st.0)}
  def every [n] 't (k: i64) (v: view [n] t) : view [n] t =
    {data = v.data, off = v.off, sh = ((v.sh.0 + k - 1) / k, v.sh.1), st = (v.st.0 * k, v.st.1)}
  def flip [n] 't (v: view [n] t) : view [n] t =
    {data = v.data, off = v.off + (v.sh.0 - 1) * v.st.0, sh = v.sh, st = (-v.st.0, v.st.1)}
  -- overlapping rows
  def unfold [n] 't (k: i64) (data: [n]t) : view [n] t = {data, off = 0, sh = (n - k + 1, k), st = (1, 1)}
  def at [n] 't (v: view [n] t) (i: i64) (j: i64) : t = v.data[v.off + i * v.st.0 + j * v.st.1]
  def force [n] 't (v: view [n] t) : [][]t = tabulate_2d v.sh.0 v.sh.1 (at v)
  def contract [n][m] (a: view [n] f32) (b: view [m] f32) : [][]f32 =
    let k = i64.min a.sh.1 b.sh.0
    in tabulate_2d a.sh.0 b.sh.1 (\i j -> f32.sum (tabulate k (\l -> at a i l * at b l j)))
}

-- ==========================================================================
-- Cellular automata
-- ==========================================================================

module type rule = {
  type cell
  type acc
  val start : acc
  val see : acc -> cell -> acc
  val next : cell -> acc -> cell
}

module mk_ca (A: rule) = {
  def step [h][w] (g: [h][w]A.cell) : [h][w]A.cell =
    tabulate_2d h w (\i j ->
      let acc =
        loop acc = A.start for d < 9 do
          if d == 4 then acc
          else A.see acc g[wrap h (i + d / 3 - 1), wrap w (j + d % 3 - 1)]
      in A.next g[i, j] acc)
  def run [h][w] (n: i64) (g: [h][w]A.cell) : [h][w]A.cell = loop g for _i < n do step g
}

module highlife = mk_ca {
  type cell = bool
  type acc = i32
  def start = 0i32
  def see (a: i32) (c: bool) = a + i32.bool c
  def next (c: bool) (a: i32) = a == 3 || (c && a == 2) || (!c && a == 6)
}

type wire = #empty | #head | #tail | #wire

module wireworld = mk_ca {
  type cell = wire
  type acc = i8
  def start = 0i8
  def see (a: i8) (c: wire) = match c case #head -> a + 1 case _ -> a
  def next (c: wire) (a: i8) : wire =
    match c
    case #empty -> #empty
    case #head -> #tail
    case #tail -> #wire
    case #wire -> if a == 1 || a == 2 then #head else #wire
}

module forest = mk_ca {
  type cell = i16
  type acc = {sum: i32, top: i16}
  def start = {sum = 0i32, top = i16.lowest}
  def see (a: acc) (c: i16) = {sum = a.sum + i32.i16 c, top = i16.max a.top c}
  def next (c: i16) (a: acc) = if a.top > 3 * c + 7 then a.top - 1 else i16.i32 ((a.sum + 8 * i32.i16 c) / 16)
}

-- ==========================================================================
-- Quaternions
-- ==========================================================================

module mk_quat (R: real) = {
  module V = mk_vec3 R
  type t = {s: R.t, v: V.v}
  def one : t = {s = R.i64 1, v = V.zero}
  def mul (a: t) (b: t) : t =
    {s = let d = V.dot a.v b.v in R.(a.s * b.s - d),
     v = V.add (V.add (V.scale a.s b.v) (V.scale b.s a.v)) (V.cross a.v b.v)}
  def conj (a: t) : t = {s = a.s, v = V.scale (R.neg (R.i64 1)) a.v}
  def norm (a: t) : R.t = let d = V.dot a.v a.v in R.(sqrt (a.s * a.s + d))
  def unit (a: t) : t = let n = norm a in {s = R.(a.s / n), v = V.scale R.(i64 1 / n) a.v}
  def exp (w: V.v) : t =
    let th = R.(V.norm w + f64 1e-12)
    in {s = R.cos th, v = V.scale R.(sin th / th) w}
  def act (q: t) (p: V.v) : V.v = (mul (mul q {s = R.i64 0, v = p}) (conj q)).v
}

module quat64 = mk_quat f64
