-- Neighbour joining of taxa into a tree: repeated minimum over the Q matrix, in-place update of one row and column, until five are left.
def main [n] (px: [n]f64) (py: [n]f64) (pz: [n]f64) : ([]i32, []i32, []f64, f64) =
  let dist0 =
    tabulate_2d n n (\i j ->
      if i == j then 0
      else f64.abs (px[i] - px[j]) + f64.abs (py[i] - py[j]) + f64.abs (pz[i] - pz[j]) + 0.01 * (px[i] + px[j]))
  let merges = i64.max 0 (n - 5)
  let (_, alive, is, js, lens) =
    loop (dist, alive, is, js, lens) =
      (dist0, replicate n true, replicate merges 0i32, replicate merges 0i32, replicate merges 0f64)
    for t < merges do
      let r = f64.i64 (n - t)
      let sums = map (\row -> f64.sum (map2 (\a d -> if a then d else 0) alive row)) dist
      let best (q1: f64, i1: i64) (q2: f64, i2: i64) =
        if q1 < q2 || (q1 == q2 && i1 < i2) then (q1, i1) else (q2, i2)
      let rows =
        tabulate n (\i ->
          if !alive[i] then (f64.inf, i64.highest)
          else reduce best (f64.inf, i64.highest)
                      (tabulate n (\j ->
                         if j > i && alive[j] then ((r - 2) * dist[i, j] - sums[i] - sums[j], i * n + j)
                         else (f64.inf, i64.highest))))
      let (_, at) = reduce best (f64.inf, i64.highest) rows
      let (i, j) = (at / n, at % n)
      let dij = dist[i, j]
      let branch = 0.5 * dij + (sums[i] - sums[j]) / (2 * (r - 2))
      let fresh = tabulate n (\k -> if k == i then 0 else 0.5 * (dist[i, k] + dist[j, k] - dij))
      let dist = dist with [i] = fresh
      let dist = dist with [:, i] = fresh
      in (dist, alive with [j] = false, is with [t] = i32.i64 i, js with [t] = i32.i64 j, lens with [t] = branch)
  in (is, js, lens, f64.sum (map f64.bool alive))
