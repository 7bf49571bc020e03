-- SwiGLU feed-forward block with residual: x + (silu(x Wg) * (x Wu)) Wd.
def mm [n][m][k] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a

def silu (x: f32) = x / (1 + f32.exp (-x))

entry main [n][d][f] (x: [n][d]f32) (wg: [d][f]f32) (wu: [d][f]f32) (wd: [f][d]f32) : [n][d]f32 =
  let small w = map (map (\w -> (w - 0.5) * 0.1)) w
  let gate = mm x (small wg)
  let up = mm x (small wu)
  let hidden = map2 (map2 (\g u -> silu g * u)) gate up
  in map2 (map2 (+)) x (mm hidden (small wd))
