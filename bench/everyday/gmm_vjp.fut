-- Gradient of the log-likelihood of a mixture of Gaussians with diagonal covariances.
def main [n][k][d] (x: [n][d]f32) (mu: [k][d]f32) (ls: [k][d]f32) (pi: [k]f32) =
  let ll (mu, ls, pi) =
    f32.sum (map (\p ->
      let e = map3 (\m s q -> q - f32.sum (map3 (\u v t -> let z = (t-u) * f32.exp (-v) in 0.5*z*z + v) m s p)) mu ls pi
      let m = f32.maximum e
      in m + f32.log (f32.sum (map (\v -> f32.exp (v-m)) e))) x)
  in vjp ll (mu, ls, pi) 1
