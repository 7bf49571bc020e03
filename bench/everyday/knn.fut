-- The 4 nearest by insertion.
entry main [n][m][d] (q: [n][d]f32) (x: [m][d]f32) : [n][4]i32 =
  map (\a ->
    let (_, ids) = loop (ds, ids) = (replicate 4 f32.inf, replicate 4 (-1i32)) for j < m do
      let dist = f32.sum (map2 (\p q -> (p-q)*(p-q)) a x[j])
      in if dist >= ds[3] then (ds, ids) else
         let (ds, ids, _, _) = loop (ds, ids, v, id) = (ds, ids, dist, i32.i64 j) for k < 4 do
           if v < ds[k] then let t = ds[k] let u = ids[k] in (ds with [k] = v, ids with [k] = id, t, u) else (ds, ids, v, id)
         in (ds, ids)
    in ids) q
