-- Sensitivities of many pendulums by forward mode through Runge-Kutta steps.
def step (dt: f32) ((a, v): (f32, f32)) : (f32, f32) =
  let f (a, v) = (v, -9.81 * f32.sin a - 0.1 * v)
  let ad (a, v) k (x, y) = (a + k*x, v + k*y)
  let k1 = f (a, v)
  let k2 = f (ad (a, v) (dt/2) k1)
  let k3 = f (ad (a, v) (dt/2) k2)
  let k4 = f (ad (a, v) dt k3)
  in ad (ad (ad (ad (a, v) (dt/6) k1) (dt/3) k2) (dt/3) k3) (dt/6) k4
def main [n] (steps: i32) (a0: [n]f32) (v0: [n]f32) : ([n]f32, [n]f32) =
  unzip (map2 (\a v -> jvp (\s -> loop s for _i < steps do step 0.01 s) (a, v) (1, 0)) a0 v0)
