-- A neural ordinary differential equation by Euler steps, and the gradients of its network for a batch of paths.
def field [d] (w: [d][d]f32) (b: [d]f32) (y: [d]f32) : [d]f32 =
  map2 (\r c -> f32.tanh (c + f32.sum (map2 (*) r y))) w b

def solve [d] (steps: i64) (w: [d][d]f32) (b: [d]f32) (y0: [d]f32) : [d]f32 =
  let h = 1 / f32.i64 steps
  in loop y = y0 for _i < steps do
       map2 (\p q -> p + h * q) y (field w b y)

entry main [n][d] (steps: i64) (ys: [n][d]f32) (targets: [n][d]f32) (w: [d][d]f32) (b: [d]f32)
    : (f32, [d][d]f32, [d]f32) =
  let w = map (map (\v -> 2 * v - 1)) w
  let loss (w: [d][d]f32, b: [d]f32) : f32 =
    let miss = map2 (\y t -> f32.sum (map2 (\p q -> (p - q) * (p - q)) (solve steps w b y) t)) ys targets
    in f32.sum miss / f32.i64 n
  let (l, (dw, db)) = vjp2 loss (w, b) 1
  in (l, dw, db)
