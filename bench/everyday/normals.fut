-- Vertex normals of a mesh by adding up its faces'.
entry main [nv][nf] (vs: [nv][3]f32) (fs: [nf][3]i32) : [nv][3]f32 =
  let at i = let k = i64.i32 (i32.abs i) % nv in (vs[k,0], vs[k,1], vs[k,2])
  let ns = map (\f ->
    let (a,b,c) = (at f[0], at f[1], at f[2])
    let (ux,uy,uz) = (b.0-a.0,b.1-a.1,b.2-a.2) let (wx,wy,wz) = (c.0-a.0,c.1-a.1,c.2-a.2)
    in [uy*wz-uz*wy, uz*wx-ux*wz, ux*wy-uy*wx]) fs
  let sums = reduce_by_index (replicate nv (replicate 3 0)) (map2 (+)) (replicate 3 0)
               (flatten (map (map (\i -> i64.i32 (i32.abs i) % nv)) fs)) (flatten (map (\n -> replicate 3 n) ns))
  in map (\n -> let l = f32.sqrt (f32.sum (map (\x -> x*x) n)) + 1e-9 in map (/l) n) sums
