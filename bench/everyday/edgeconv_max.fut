-- Dynamic graph layer on point clouds: nearest neighbours by insertion in a small list, edge net, soft maximum over the edges, gradients by vjp.
def nearest [p] (k: i64) (pts: [p][3]i32) (me: i64) : [k]i64 =
  let q = pts[me]
  let (_, ids) =
    loop (ds, ids) = (replicate k i32.highest, replicate k me) for j < p do
      let r = pts[j]
      let d = (q[0] - r[0]) ** 2 + (q[1] - r[1]) ** 2 + (q[2] - r[2]) ** 2
      in if j == me || d >= ds[k - 1] then (ds, ids)
         else let (ds, ids, at) =
                loop (ds, ids, at) = (ds, ids, k - 1) while at > 0 && ds[at - 1] > d do
                  let (u, v) = (ds[at - 1], ids[at - 1])
                  in (ds with [at] = u, ids with [at] = v, at - 1)
              in (ds with [at] = d, ids with [at] = j)
  in ids

def main [b][p][c] (k0: i64) (clouds: [b][p][3]u8) (wself: [c][3]f32) (wedge: [c][3]f32) (target: [b][c]f32) =
  let k = i64.max 1 (i64.min 16 k0)
  let grid = map (map (map i32.u8)) clouds
  let nbrs = map (\pts -> tabulate p (nearest k pts)) grid
  let xs = map (map (map (\v -> f32.i32 v / 256))) grid
  let centre = map (map (\v -> 2 * v - 1))
  let point ws we (x: [p][3]f32) (i: i64) (ids: [k]i64) : [c]f32 =
    map2 (\(a: [3]f32) (e: [3]f32) ->
      let own = a[0] * x[i, 0] + a[1] * x[i, 1] + a[2] * x[i, 2]
      let act j =
        let v = own + e[0] * (x[j, 0] - x[i, 0]) + e[1] * (x[j, 1] - x[i, 1]) + e[2] * (x[j, 2] - x[i, 2])
        in f32.exp (8 * f32.tanh v)
      in f32.log (f32.sum (map act ids)) / 8) ws we
  let embed (ws, we) = map2 (\x nb -> map2 (point ws we x) (iota p) nb) xs nbrs
  let pooled ps = map (\e -> map (\col -> f32.sum col / f32.i64 p) (transpose e)) (embed ps)
  let loss ps = f32.sum (flatten (map2 (map2 (\a t -> (a - t) * (a - t))) (pooled ps) target)) / f32.i64 b
  let params = (centre wself, centre wedge)
  let (gs, ge) = vjp loss params 1
  in (map (map (map i32.i64)) nbrs, pooled params, loss params, gs, ge)
