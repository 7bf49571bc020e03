-- Small quadratic programs with bounds, one a thread block's worth: accelerated projected gradients.
def clamp (lo: f32) (hi: f32) (x: f32) : f32 = f32.max lo (f32.min hi x)

def solve [m] (steps: i32) (q: [m][m]f32) (c: [m]f32) (ub: [m]f32) : ([m]f32, f32) =
  -- Gershgorin's bound of the largest eigenvalue
  let lip = f32.maximum (map (\r -> f32.sum (map f32.abs r)) q)
  let step = 1 / lip
  let grad x = map2 (\r ci -> f32.sum (map2 (*) r x) + ci) q c
  let (x, _) =
    loop (x, z) = (replicate m 0, replicate m 0) for k < steps do
      let g = grad z
      let x' = map3 (\zi gi u -> clamp 0 u (zi - step * gi)) z g ub
      let mom = f32.i32 k / f32.i32 (k + 3)
      in (x', map2 (\a b -> a + mom * (a - b)) x' x)
  let qx = map (\r -> f32.sum (map2 (*) r x)) q
  in (x, f32.sum (map3 (\xi y ci -> xi * (0.5 * y + ci)) x qx c))

entry main [n] [m] (steps: i32) (a: [n][m][m]f32) (c: [n][m]f32) (ub: [n][m]f32) : ([n][m]f32, [n]f32) =
  let one (ai: [m][m]f32) (ci: [m]f32) (ui: [m]f32) =
    let q = tabulate_2d m m (\i j ->
      f32.sum (map2 (\x y -> (x - 0.5) * (y - 0.5)) ai[i] ai[j]) + (if i == j then 0.5 else 0))
    in solve steps q (map (\x -> x - 0.7) ci) ui
  in unzip (map3 one a c ub)
