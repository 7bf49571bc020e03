-- Some steps of t-SNE's gradient descent in the plane, affinities from a fixed width, all pairs.
type pt = (f32, f32)

def sq (x: f32) = x * x

entry main [n] [d] (steps: i32) (rate: f32) (sigma: f32) (x: [n][d]f32) (y0: [n]f32) (y1: [n]f32) : ([n]f32, [n]f32, f32) =
  let aff (i: i64) (j: i64) : f32 =
    if i == j then 0
    else let d2 = loop s = 0 for k < d do s + sq (x[i, k] - x[j, k])
         in f32.exp (-d2 / (2 * sigma * sigma))
  let p = tabulate_2d n n aff
  let rows = map f32.sum p
  let p = tabulate_2d n n (\i j -> (p[i, j] / (rows[i] + 1e-3) + p[j, i] / (rows[j] + 1e-3)) / (2 * f32.i64 n))
  let kern ((a, b): pt) ((c, e): pt) : f32 = 1 / (1 + sq (a - c) + sq (b - e))
  let step (ys: [n]pt) : [n]pt =
    let z = f32.sum (map (\a -> f32.sum (map (\b -> kern a b) ys)) ys) - f32.i64 n
    let force (pi: [n]f32) (a: pt) : pt =
      let one (pij: f32) (b: pt) : pt =
        let k = kern a b
        let c = 4 * (pij - k / z) * k
        in (c * (a.0 - b.0), c * (a.1 - b.1))
      let (gx, gy) = reduce_comm (\(u, v) (s, t) -> (u + s, v + t)) (0, 0) (map2 one pi ys)
      in (a.0 - rate * gx, a.1 - rate * gy)
    in map2 force p ys
  let ys = loop ys = zip y0 y1 for _i < steps do step ys
  let (u, v) = unzip ys
  in (u, v, f32.sum (map2 (\a b -> sq a + sq b) u v) / f32.i64 n)
