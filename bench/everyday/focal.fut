-- Focal loss of a linear classifier with label smoothing, and the gradient for weights and bias.
def log_softmax [k] (z: [k]f32) : [k]f32 =
  let top = f32.maximum z
  let lse = f32.log (f32.sum (map (\v -> f32.exp (v - top)) z))
  in map (\v -> v - top - lse) z

def focal [k] (smooth: f32) (lp: [k]f32) (label: i64) : f32 =
  let one (j: i64) (l: f32) =
    let q = 1 - f32.exp l
    let t = if j == label then 1 - smooth else smooth / f32.i64 (k - 1)
    in -t * q * q * l
  in f32.sum (map2 one (iota k) lp)

entry main [n][d][k] (smooth: f32) (x: [n][d]f32) (labels: [n]i32) (w: [k][d]f32) (b: [k]f32)
    : (f32, [k][d]f32, [k]f32) =
  let objective (w: [k][d]f32, b: [k]f32) =
    let per_row row lab =
      let z = map2 (\wr c -> c + f32.sum (map2 (*) wr row)) w b
      in focal smooth (log_softmax z) (i64.i32 (lab & 0x7fffffff) % k)
    in f32.sum (map2 per_row x labels) / f32.i64 n
  let w = map (map (\v -> v * 0.4 - 0.2)) w
  let (l, (dw, db)) = vjp2 objective (w, b) 1
  in (l, dw, db)
