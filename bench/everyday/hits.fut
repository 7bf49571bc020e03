-- Hubs and authorities of a list of edges by power iteration.
def normalise [n] (xs: [n]f32) : [n]f32 =
  let s = f32.sqrt (f32.sum (map (\x -> x * x) xs))
  in map (/ s) xs

def push [n] [m] (from: [m]i64) (to: [m]i64) (x: [n]f32) : [n]f32 =
  reduce_by_index (replicate n 0.01) (+) 0 to (map (\i -> x[i]) from)

entry main [m] (n: i64) (steps: i32) (a: [m]i32) (b: [m]i32) : ([n]f32, [n]f32, f32) =
  let node (x: i32) : i64 = i64.i32 (x & 0x7fffffff) % n
  -- targets are drawn towards the small numbers
  let skew (x: i32) (y: i32) = i64.min (node x) (node (y * 1664525 + 1013904223))
  let src = map node a
  let dst = map2 skew b a
  let (hub, auth) =
    loop (hub: [n]f32, _auth: [n]f32) = (replicate n (1 / f32.sqrt (f32.i64 n)), replicate n 0) for _i < steps do
      let auth = normalise (push src dst hub)
      in (normalise (push dst src auth), auth)
  in (hub, auth, f32.sum (map2 (*) hub auth))
