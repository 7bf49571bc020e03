-- Distillation: KL of softened teacher and student rows plus label cross entropy; loss per row, gradient, accuracy.
def log_softmax [c] (t: f32) (x: [c]f32) : [c]f32 =
  let s = map (/ t) x
  let top = reduce f32.max (-f32.inf) s
  let lse = top + f32.log (reduce (+) 0 (map (\v -> f32.exp (v - top)) s))
  in map (\v -> v - lse) s

def row_loss [c] (temp: f32) (mix: f32) (teacher: [c]f32) (label: i64) (student: [c]f32) : f32 =
  let lt = log_softmax temp teacher
  let ls = log_softmax temp student
  let kl = reduce (+) 0 (map2 (\a b -> f32.exp a * (a - b)) lt ls)
  let hard = log_softmax 1 student
  in mix * temp * temp * kl - (1 - mix) * hard[label]

entry main [n][c] (temp: f32) (mix: f32) (teacher: [n][c]f32) (student: [n][c]f32) (labels: [n]i32) =
  let sharp = map (map (* 8f32))
  let ys = map (\l -> i64.i32 (l & 0x7fffffff) % c) labels
  let (ts, ss) = (sharp teacher, sharp student)
  let losses = map3 (row_loss temp mix) ts ys ss
  let grads = map3 (\t y s -> vjp (row_loss temp mix t y) s 1) ts ys ss
  let mean = f32.sum losses / f32.i64 n
  in (mean, losses, grads)
