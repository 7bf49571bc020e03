-- A bilinear layer, b i, k i j, b j -> b k, squashed, and the gradient of its core and of one side.

entry main [b][i][j][k] (core: [k][i][j]f32) (x: [b][i]f32) (y: [b][j]f32) (up: [b][k]f32)
    : ([b][k]f32, [k][i][j]f32, [b][i]f32) =
  let s = 1 / f32.sqrt (f32.i64 (i * j))
  let f (core: [k][i][j]f32, x: [b][i]f32) : [b][k]f32 =
    let outer = map2 (\x y -> flatten (map (\a -> map (* a) y) x)) x y
    let flat = map flatten core
    in map (\q -> map (\c -> f32.tanh (s * f32.sum (map2 (*) q c))) flat) outer
  let c = map (map (map (\v -> v - 0.5))) core
  let (out, (dc, dx)) = vjp2 f (c, x) up
  in (out, dc, dx)
