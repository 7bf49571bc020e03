-- One training step of a Kolmogorov-Arnold layer: cubic B-spline edge functions on a uniform grid, gradient by vjp.
def basis (u: f32) : [4]f32 =
  let v = 1 - u
  in [v * v * v / 6, (3 * u * u * u - 6 * u * u + 4) / 6, (3 * v * v * v - 6 * v * v + 4) / 6, u * u * u / 6]

def silu (x: f32) = x / (1 + f32.exp (-x))

def forward [i] [o] [g] (coef: [o][i][g]f32) (base: [o][i]f32) (x: [i]f32) : [o]f32 =
  map2 (\cs bs ->
          f32.sum (map3 (\c b xi ->
                           let s = f32.max 0 (f32.min 0.99999 xi) * f32.i64 (g - 3)
                           let cell = i64.f32 s
                           let w = basis (s - f32.i64 cell)
                           in b * silu xi + w[0] * c[cell] + w[1] * c[cell + 1] + w[2] * c[cell + 2] + w[3] * c[cell + 3])
                        cs bs x))
       coef base

def loss [n] [i] [o] [g] (xs: [n][i]f32) (ys: [n][o]f32) (coef: [o][i][g]f32, base: [o][i]f32) : f32 =
  let errs = map2 (\x y -> f32.sum (map2 (\p q -> (p - q) * (p - q)) (forward coef base x) y)) xs ys
  in f32.sum errs / f32.i64 n

def main [n] [i] [o] [g] (rate: f32) (xs: [n][i]f32) (ys: [n][o]f32) (coef: [o][i][g]f32) (base: [o][i]f32)
    : (f32, [o][i][g]f32, [o][i]f32) =
  -- the grid needs at least one cell: four coefficients
  let scaled = map (map (map (\c -> (c - 0.5) / f32.i64 i))) coef
  let (l, (gc, gb)) = vjp2 (loss xs ys) (scaled, base) 1
  in (l,
      map2 (map2 (map2 (\c d -> c - rate * d))) scaled gc,
      map2 (map2 (\b d -> b - rate * d)) base gb)
