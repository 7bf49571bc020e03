-- Linear assignment for a batch of small cost matrices: shortest augmenting paths with potentials (Hungarian method).
def assign [n] (cost: [n][n]u8) : ([n]i32, i32) =
  let m = n + 1
  let (_, _, p) =
    loop (u, v, p) = (replicate m 0i32, replicate m 0i32, replicate m 0i64) for i in 1...n do
      let p[0] = i
      let (u, v, _, way, _, j0) =
        loop (u, v, minv, way, used, j0) =
          (u, v, replicate m i32.highest, replicate m 0i64, replicate m false, 0)
        while !used[j0] && p[j0] != 0 do
          let used[j0] = true
          let i0 = p[j0]
          let (minv, way, delta, j1) =
            loop (minv, way, delta, j1) = (minv, way, i32.highest, 0) for j in 1...n do
              if used[j] then (minv, way, delta, j1) else
              let c = i32.u8 cost[i0 - 1, j - 1] - u[i0] - v[j]
              let (minv, way) = if c < minv[j] then (minv with [j] = c, way with [j] = j0) else (minv, way)
              in if minv[j] < delta then (minv, way, minv[j], j) else (minv, way, delta, j1)
          let (u, v, minv) =
            loop (u, v, minv) for j < m do
              if used[j] then (let q = p[j] in u with [q] = u[q] + delta, v with [j] = v[j] - delta, minv)
              else (u, v, if minv[j] < i32.highest then minv with [j] = minv[j] - delta else minv)
          in (u, v, minv, way, used, j1)
      let (p, _) =
        loop (p, j) = (p, j0) while j != 0 do
          let k = way[j]
          in (p with [j] = p[k], k)
      in (u, v, p)
  let cols = loop cols = replicate n 0i32 for j in 1...n do cols with [p[j] - 1] = i32.i64 (j - 1)
  in (cols, i32.sum (map2 (\c row -> i32.u8 row[c]) cols cost))

def main [b][n] (costs: [b][n][n]u8) : ([b][n]i32, [b]i32) = unzip (map assign costs)
