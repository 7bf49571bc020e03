-- Robust regression: Huber's loss by momentum descent, many short steps.
def huber (delta: f32) (r: f32) : f32 =
  let a = f32.abs r
  in if a <= delta then 0.5 * r * r else delta * (a - 0.5 * delta)

def objective [n][d] (delta: f32) (x: [n][d]f32) (y: [n]f32) (w: [d]f32, c: f32) : f32 =
  let res = map2 (\row t -> c + f32.sum (map2 (*) row w) - t) x y
  in f32.sum (map (huber delta) res) / f32.i64 n

entry main [n][d] (steps: i64) (rate: f32) (momentum: f32) (x: [n][d]f32) (y: [n]f32) : ([d]f32, f32, f32) =
  let x = map (map (\v -> 2 * v - 1)) x
  let f = objective 0.2 x y
  let (w, c, _, _) =
    loop (w, c, vw, vc) = (replicate d 0, 0, replicate d 0, 0) for _i < steps do
      let (gw, gc) = vjp f (w, c) 1
      let vw = map2 (\v g -> momentum * v - rate * g) vw gw
      let vc = momentum * vc - rate * gc
      in (map2 (+) w vw, c + vc, vw, vc)
  in (w, c, f (w, c))
