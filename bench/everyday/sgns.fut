-- Word vectors: skip-grams with negative samples, one step of both tables by reverse mode.
def pick (n: i64) (v: i32) = i64.i32 (v & 0x7fffffff) % n
def log_sigmoid (x: f32) : f32 = f32.min x 0 - f32.log (1 + f32.exp (-(f32.abs x)))
def dot [d] (a: [d]f32) (b: [d]f32) = f32.sum (map2 (*) a b)

entry main [n][k][v][d] (rate: f32) (centre: [n]i32) (context: [n]i32) (negs: [n][k]i32) (u: [v][d]f32) (w: [v][d]f32)
    : (f32, [v][d]f32, [v][d]f32) =
  let centre = map (pick v) centre
  let context = map (pick v) context
  let negs = map (map (pick v)) negs
  let shift = map (map (\t -> t - 0.5))
  let (u, w) = (shift u, shift w)
  let loss (u: [v][d]f32, w: [v][d]f32) : f32 =
    f32.sum (map3 (\a c ns ->
      let good = log_sigmoid (dot u[a] w[c])
      let bad = f32.sum (map (\j -> log_sigmoid (-(dot u[a] w[j]))) ns)
      in -(good + bad)) centre context negs)
  let (l, (du, dw)) = vjp2 loss (u, w) 1
  let go = map2 (map2 (\p g -> p - rate * g))
  in (l / f32.i64 n, go u du, go w dw)
