-- Marching-cubes bookkeeping of a scalar volume: the case of every cell, a histogram of cases, the compacted active cells and the surface's centroid.
entry main [d][h][w] (iso: i32) (vol: [d][h][w]u8) : ([256]i32, []i32, f64, f64, f64, i64) =
  -- a smoothed copy plus a ball, for a surface of some coherence
  let cl n i = i64.max 0 (i64.min (n-1) i)
  let f = tabulate_3d d h w (\z y x ->
    let s = i32.u8 vol[z,y,x] + i32.u8 vol[cl d (z+1),y,x] + i32.u8 vol[z,cl h (y+1),x] + i32.u8 vol[z,y,cl w (x+1)]
    let q n i = i32.i64 (((2*i+1) * 64 / n - 64) ** 2)
    in s + q d z + q h y + q w x)
  let (cd, ch, cw) = (d-1, h-1, w-1)
  let corner z y x (i: i64) = f[z + (i >> 2), y + ((i >> 1) & 1), x + (i & 1)]
  let cases = tabulate_3d cd ch cw (\z y x ->
    loop c = 0u8 for i < 8 do if corner z y x i > iso then c | (1 << u8.i64 i) else c)
  let flat = flatten_3d cases
  let histo = reduce_by_index (replicate 256 0) (+) 0i32 (map i64.u8 flat) (map (const 1) flat)
  let active = map (\c -> c != 0 && c != 255) flat
  let offs = scan (+) 0i64 (map i64.bool active)
  let total = if length offs == 0 then 0 else last offs
  let ids = scatter (replicate total 0i32)
                    (map2 (\a o -> if a then o - 1 else -1) active offs)
                    (map i32.i64 (indices flat))
  -- crossing points on the edges along x
  let pts = tabulate_3d d h cw (\z y x ->
    let (p, q) = (f[z,y,x], f[z,y,x+1])
    in if (p > iso) != (q > iso)
       then (f64.i64 x + f64.i32 (iso - p) / f64.i32 (q - p), f64.i64 y, f64.i64 z, 1)
       else (0, 0, 0, 0i64))
  let (sx, sy, sz, n) = reduce_comm (\(a,b,c,e) (a',b',c',e') -> (a+a', b+b', c+c', e+e')) (0, 0, 0, 0) (flatten_3d pts)
  let m = 1 / f64.i64 (i64.max 1 n)
  in (histo, ids, sx*m, sy*m, sz*m, n)
