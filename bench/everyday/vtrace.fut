-- V-trace value targets and policy-gradient advantages of a batch of trajectories: clipped importance ratios, reverse affine scan, element-wise.
def affine_rev [t] (ab: [t](f32, f32)) : [t]f32 =
  reverse (map (.1) (scan (\(a, b) (c, d) -> (a * c, c * b + d)) (1, 0) (reverse ab)))

entry main [b][t] (gamma: f32) (logits: [b][t]f32) (reward: [b][t]f32) (value: [b][t]f32) (boot: [b]f32) =
  let g = 0.9 + 0.1 * gamma
  let traj (lg: [t]f32) (r: [t]f32) (v: [t]f32) (vT: f32) =
    let ratio = map (\l -> f32.exp (2 * l - 1)) lg
    let rho = map (f32.min 1) ratio
    let c = map (\x -> 0.95 * f32.min 1 x) ratio
    let vnext = map (\i -> if i + 1 < t then v[i+1] else vT) (iota t)
    let delta = map3 (\p (r', v') nv -> p * (r' + g * nv - v')) rho (zip r v) vnext
    let corr = affine_rev (map2 (\ci d -> (g * ci, d)) c delta)
    let vs = map2 (+) v corr
    let vsnext = map (\i -> if i + 1 < t then vs[i+1] else vT) (iota t)
    let adv = map4 (\p ri n vi -> p * (ri + g * n - vi)) rho r vsnext v
    in (vs, adv, f32.sum (map (\x -> x * x) corr))
  in unzip3 (map4 traj logits reward value boot)
