-- One step of EM for a mixture of diagonal Gaussians.
entry main [n][d][k] (x: [n][d]f32) (mu: [k][d]f32) (vars: [k][d]f32) (w: [k]f32) : ([k][d]f32, [k][d]f32, [k]f32) =
  let logp = map (\p -> map3 (\m v w -> f32.log (w+1e-6) - 0.5*f32.sum (map3 (\a b c -> (a-b)*(a-b)/(c+0.1) + f32.log (c+0.1)) p m v)) mu vars w) x
  let resp = map (\l -> let m = f32.maximum l let e = map (\v -> f32.exp (v-m)) l let s = f32.sum e in map (/s) e) logp
  let nk = map f32.sum (transpose resp)
  let mu' = map2 (\r s -> map (\c -> f32.sum (map2 (*) r c)/(s+1e-6)) (transpose x)) (transpose resp) nk
  let var' = map3 (\r s m -> map2 (\c m -> f32.sum (map2 (\r v -> r*(v-m)*(v-m)) r c)/(s+1e-6)) (transpose x) m) (transpose resp) nk mu'
  in (mu', var', map (/f32.i64 n) nk)
