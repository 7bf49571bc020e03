-- Historical value at risk and expected shortfall of many portfolios: losses as a matrix product, the quantile by bisection.
def dot [a] (x: [a]f32) (y: [a]f32) = f32.sum (map2 (*) x y)

def main [p] [a] [s] (level: f32) (weights: [p][a]f32) (returns: [a][s]f32) : ([p]f32, [p]f32, i64) =
  let weights = map (\w -> let t = f32.sum w + 1e-3 in map (/ t) w) weights
  -- heavy tails: a cubic of the uniform numbers
  let shocks = map (map (\u -> let x = 2 * u - 1 in 0.02 * x + 0.08 * x * x * x)) returns
  let losses = map (\w -> map (\col -> -(dot w col)) (transpose shocks)) weights
  let want = f32.i64 s * (1 - level)
  let measure (ls: [s]f32) =
    let lo = f32.minimum ls
    let hi = f32.maximum ls
    let (var, _) =
      loop (lo, hi) = (lo, hi) for _i < 24 do
        let mid = 0.5 * (lo + hi)
        let above = i32.sum (map (\l -> i32.bool (l > mid)) ls)
        in if f32.i32 above > want then (mid, hi) else (lo, mid)
    let excess = f32.sum (map (\l -> f32.max 0 (l - var)) ls)
    in (var, var + excess / f32.max 1 want)
  let (var, es) = unzip (map measure losses)
  let (_, worst) =
    reduce (\(x, i) (y, j) -> if x > y || (x == y && i < j) then (x, i) else (y, j))
           (-f32.inf, -1) (zip es (iota p))
  in (var, es, if worst >= 0 then 1 else 0)
