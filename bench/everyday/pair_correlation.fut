-- Pair-correlation function g(r) of points on the unit torus: a distance histogram per point, summed over points.
type pt = {x: f32, y: f32}

def wrap (d: f32) : f32 = d - f32.round d

entry main [n] (bins: i64) (rmax: f32) (xs: [n]f32) (ys: [n]f32) : ([bins]f32, [bins]f32) =
  let rmax = 0.05 + 0.4 * rmax
  let ps : [n]pt = map2 (\x y -> {x, y}) xs ys
  let counts = map (\(p: pt) ->
      let bin (q: pt) = let r = f32.sqrt (wrap (p.x - q.x) ** 2 + wrap (p.y - q.y) ** 2)
                        in if r < rmax && r > 0 then i64.f32 (r / rmax * f32.i64 bins) else -1
      in reduce_by_index (replicate bins 0i32) (+) 0 (map bin ps) (replicate n 1)) ps
  let total = map i32.sum (transpose counts)
  let dr = rmax / f32.i64 bins
  let g = map2 (\i c ->
      let area = f32.pi * dr * dr * f32.i64 (2 * i + 1)
      in f32.i32 c / (f32.i64 n * f32.i64 n * area)) (iota bins) total
  let kfun = map (\c -> f32.i32 c / (f32.i64 n * f32.i64 n)) (scan (+) 0 total)
  in (g, kfun)
