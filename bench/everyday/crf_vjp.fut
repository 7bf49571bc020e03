-- Linear-chain CRF: log-partition of every sentence; its gradients (tag marginals and transition counts) by vjp.
def logsumexp [t] (xs: [t]f32) : f32 =
  let m = reduce f32.max (-1e30) xs
  in m + f32.log (f32.sum (map (\x -> f32.exp (x - m)) xs))

def partition [l] [t] (trans: [t][t]f32) (unary: [l][t]f32) : f32 =
  let alpha =
    loop a = copy unary[0] for i in 1..<l do
      map2 (\u col -> u + logsumexp (map2 (+) a col)) unary[i] (transpose trans)
  in logsumexp alpha

def score [l] [t] (trans: [t][t]f32) (unary: [l][t]f32) (tags: [l]i64) : f32 =
  loop s = unary[0, tags[0]] for i in 1..<l do
    s + unary[i, tags[i]] + trans[tags[i - 1], tags[i]]

def main [b] [l] [t] (rate: f32) (unary: [b][l][t]f32) (tags: [b][l]u8) (trans: [t][t]f32)
    : ([t][t]f32, [b][l]f32, f32) =
  let unary = map (map (map (\x -> 4 * x - 2))) unary
  let tags = map (map (\g -> i64.u8 g % t)) tags
  let nll (tr: [t][t]f32) u g = partition tr u - score tr u g
  let per =
    map2 (\u g ->
            let (v, (gu, gt)) = vjp2 (\(u', t') -> nll t' u' g) (u, trans) 1
            -- the residual of the gold tag: how far its marginal is from one
            in (v, map2 (\row k -> -(row[k])) gu g, gt))
         unary tags
  let (vals, resid, grads) = unzip3 per
  let total = map (\p -> map (\q -> f32.sum (map (\g -> g[p, q]) grads)) (iota t)) (iota t)
  in (map2 (map2 (\w g -> w - rate * g / f32.i64 b)) trans total, resid, f32.sum vals / f32.i64 b)
