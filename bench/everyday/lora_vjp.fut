-- Low-rank adaptation of a frozen layer: y = tanh (x (W + s B A)'), gradients of A and B only.
module m = {
  def mul [n][k][p] (a: [n][k]f32) (b: [k][p]f32) : [n][p]f32 =
    map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
  def zipw [n][k] (f: f32 -> f32 -> f32) (a: [n][k]f32) (b: [n][k]f32) = map2 (map2 f) a b
  def each [n][k] (f: f32 -> f32) (a: [n][k]f32) = map (map f) a
}

entry main [n][i][o][r] (s: f32) (x: [n][i]f32) (w: [o][i]f32) (a: [r][i]f32) (b: [o][r]f32) (target: [n][o]f32)
    : (f32, [r][i]f32, [o][r]f32) =
  let k = 1 / f32.i64 i
  let x = m.each (\v -> v - 0.5) x
  let a = m.each (\v -> (v - 0.5) * 0.1) a
  let frozen = m.mul x (transpose (m.each (\v -> (v - 0.5) * 4 * f32.sqrt k) w))
  let loss (a: [r][i]f32, b: [o][r]f32) : f32 =
    let low = m.mul x (transpose a)
    let up = m.mul low (transpose b)
    let y = m.zipw (\f u -> f32.tanh (f + s * u)) frozen up
    in f32.sum (flatten (m.zipw (\p q -> (p - q) * (p - q)) y target)) / f32.i64 n
  let (l, (da, db)) = vjp2 loss (a, b) 1
  in (l, da, db)
