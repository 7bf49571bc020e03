-- Two-dimensional turbulence, pseudo-spectral: vorticity in Fourier space, nonlinear term in real space, 2/3 dealiasing, Heun steps.
module c = {
  type t = (f32, f32)
  def add ((a, b): t) ((c, d): t) : t = (a + c, b + d)
  def sub ((a, b): t) ((c, d): t) : t = (a - c, b - d)
  def mul ((a, b): t) ((c, d): t) : t = (a * c - b * d, a * d + b * c)
  def scale (s: f32) ((a, b): t) : t = (s * a, s * b)
  def times_i (s: f32) ((a, b): t) : t = (-s * b, s * a)
}

def log2 (n: i64) : i64 = (loop (k, m) = (0, 1) while m < n do (k + 1, 2 * m)).0

-- Stockham, radix 2, of one line; sign -1 forward, +1 back (unscaled).
def fft [n] (sign: f32) (x: [n]c.t) : [n]c.t =
  let half = n / 2
  in loop x for s < log2 n do
       let m = 1 << s
       in tabulate n (\o ->
            let block = o / (2 * m)
            let inner = o % m
            let hi = (o / m) % 2 == 1
            let src = block * m + inner
            let angle = sign * f32.pi * f32.i64 inner / f32.i64 m
            let b = c.mul (f32.cos angle, f32.sin angle) x[src + half]
            in if hi then c.sub x[src] b else c.add x[src] b)

def fft2 [n] (sign: f32) (x: [n][n]c.t) : [n][n]c.t =
  x |> map (fft sign) |> transpose |> map (fft sign) |> transpose

def forward [n] (x: [n][n]f32) : [n][n]c.t = fft2 (-1) (map (map (\v -> (v, 0))) x)
def back [n] (x: [n][n]c.t) : [n][n]f32 =
  let s = 1 / f32.i64 (n * n)
  in map (map (\v -> s * v.0)) (fft2 1 x)

def freq (n: i64) (i: i64) : f32 = f32.i64 (if 2 * i < n then i else i - n)

def with_k [n] 'a 'b (f: f32 -> f32 -> a -> b) (x: [n][n]a) : [n][n]b =
  map2 (\i row -> map2 (\j v -> f (freq n i) (freq n j) v) (iota n) row) (iota n) x

def rhs [n] (nu: f32) (w: [n][n]c.t) : [n][n]c.t =
  let psi = with_k (\ky kx v -> if kx == 0 && ky == 0 then (0, 0) else c.scale (1 / (kx * kx + ky * ky)) v) w
  let u = back (with_k (\ky _ p -> c.times_i ky p) psi)
  let v = back (with_k (\_ kx p -> c.times_i (-kx) p) psi)
  let wx = back (with_k (\_ kx z -> c.times_i kx z) w)
  let wy = back (with_k (\ky _ z -> c.times_i ky z) w)
  let adv = forward (map4 (map4 (\u v wx wy -> u * wx + v * wy)) u v wx wy)
  let cut = f32.i64 n / 3
  let kept = with_k (\ky kx a -> if f32.abs kx > cut || f32.abs ky > cut || (kx == 0 && ky == 0) then (0, 0) else a) adv
  let damped = with_k (\ky kx z -> c.scale (-nu * (kx * kx + ky * ky)) z) w
  in map2 (map2 c.sub) damped kept

entry main [n] (steps: i32) (dt: f32) (nu: f32) (noise: [n][n]f32) : ([n][n]f32, f32, []f32) =
  -- a smooth start: only low wave numbers of the noise are kept
  let w0 =
    forward (map (map (\v -> v - 0.5)) noise)
    |> with_k (\ky kx z -> let k2 = kx * kx + ky * ky in if k2 == 0 then (0, 0) else c.scale (f32.exp (-k2 / 18)) z)
  let w =
    loop w = w0 for _i < steps do
      let a = rhs nu w
      let mid = map2 (map2 (\z d -> c.add z (c.scale dt d))) w a
      let b = rhs nu mid
      in map3 (map3 (\z p q -> c.add z (c.scale (dt / 2) (c.add p q)))) w a b
  let enstrophy = f32.sum (map (\r -> f32.sum (map (\(a, b) -> a * a + b * b) r)) w) / f32.i64 (n * n * n * n)
  let shells =
    let power = flatten (with_k (\ky kx (a, b) ->
      let k2 = i64.f32 (kx * kx + ky * ky + 0.5)
      -- shell number by whole-number search, so that rounding of a root cannot matter
      let k = loop k = 0 while (k + 1) * (k + 1) <= k2 do k + 1
      in (i64.min 7 k, (a * a + b * b) / f32.i64 (n * n * n * n))) w)
    in reduce_by_index (replicate 8 0f32) (+) 0 (map (.0) power) (map (.1) power)
  in (back w, enstrophy, shells)
