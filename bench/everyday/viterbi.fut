entry main [t][s][k] (obs: [t]u8) (trans: [s][s]f32) (emit: [s][k]f32) : (f32, [t]i32) =
  let n = s
  let (score, back) = loop (sc, back) = (replicate n 0f32, replicate t (replicate n 0i32)) for i < t do
    let o = i64.u8 obs[i] % k
    let best = map (\j -> reduce (\(a,x) (b,y) -> if x > y || (x == y && a < b) then (a,x) else (b,y)) (0,-f32.inf)
                       (zip (map i32.i64 (iota n)) (map (\p -> sc[p] + trans[p,j]) (iota n)))) (iota n)
    in (map2 (\(_,x) j -> x + emit[j,o]) best (iota n), back with [i] = map (.0) best)
  let (last, v) = reduce (\(a,x) (b,y) -> if x > y || (x == y && a < b) then (a,x) else (b,y)) (0,-f32.inf) (zip (map i32.i64 (iota n)) score)
  let path = replicate t 0i32
  let (path, _) = loop (path, at) = (path, last) for k < t do
    let i = t-1-k in (path with [i] = at, back[i, at])
  in (v, path)
