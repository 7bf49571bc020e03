-- Local outlier factor of points on an integer grid: five nearest neighbours by insertion, reachability densities, ratios.
def k : i64 = 5

def knn [n] (xs: [n]i32) (ys: [n]i32) (i: i64) : [5](i32, i64) =
  loop best = replicate 5 (i32.highest, -1) for j < n do
    let dx = xs[j] - xs[i]
    let dy = ys[j] - ys[i]
    let d = dx * dx + dy * dy
    in if j == i || d >= best[4].0 then best
       else
         let (best, p) =
           loop (best, p) = (best, 4) while p > 0 && best[p - 1].0 > d do
             (best with [p] = copy best[p - 1], p - 1)
         in best with [p] = (d, j)

def main [n] (px: [n]u16) (py: [n]u16) (cut: f32) : ([n]f32, i64) =
  -- points are pulled towards the middle of their cell, so there are clusters
  let pull (p: u16) =
    let q = i32.u16 (p >> 2)
    let c = (q / 2048) * 2048 + 1024
    in c + (q - c) * i32.abs (q - c) / 1024
  let xs = map pull px
  let ys = map pull py
  let near = tabulate n (knn xs ys)
  let dist (d: i32) = f32.sqrt (f32.i32 d)
  let kdist = map (\ns -> let (d, _) = ns[4] in if d == i32.highest then 0 else dist d) near
  let used = f32.i64 (i64.max 1 (i64.min k (n - 1)))
  let mean_over (f: (i32, i64) -> f32) (ns: [5](i32, i64)) =
    f32.sum (map (\(d, j) -> if j < 0 then 0 else f (d, j)) ns) / used
  let density =
    map (\ns -> 1 / (1e-3 + mean_over (\(d, j) -> f32.max kdist[j] (dist d)) ns)) near
  let lof = map2 (\ns l -> mean_over (\(_, j) -> density[j] / l) ns) near density
  in (lof, i64.sum (map (\l -> i64.bool (l > cut)) lof))
