-- Contrastive loss of two batches of embeddings (both directions), and the gradients of both.
def normalise [d] (v: [d]f32) : [d]f32 =
  let v = map (\x -> x - 0.5) v
  let len = f32.sqrt (1e-6 + f32.sum (map (\x -> x * x) v))
  in map (/ len) v

def lse [n] (z: [n]f32) : f32 =
  let m = f32.maximum z in m + f32.log (f32.sum (map (\x -> f32.exp (x - m)) z))

def info_nce [n][d] (tau: f32) (u: [n][d]f32, v: [n][d]f32) : f32 =
  let u = map normalise u
  let v = map normalise v
  let sim = map (\a -> map (\b -> f32.sum (map2 (*) a b) / tau) v) u
  let diag = map2 (\a b -> f32.sum (map2 (*) a b) / tau) u v
  let rows = f32.sum (map lse sim)
  let cols = f32.sum (map lse (transpose sim))
  in (0.5 * (rows + cols) - f32.sum diag) / f32.i64 n

entry main [n][d] (tau: f32) (u: [n][d]f32) (v: [n][d]f32) : (f32, [n][d]f32, [n][d]f32) =
  let (l, (du, dv)) = vjp2 (info_nce tau) (u, v) 1
  in (l, map (map (* f32.i64 n)) du, map (map (* f32.i64 n)) dv)
