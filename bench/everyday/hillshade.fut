-- Terrain derivatives of a height grid: smoothing, Horn slope and aspect, hillshade, topographic position index, roughness and a blended relief.
def nb [h][w] (z: [h][w]f32) i j di dj =
  z[i64.max 0 (i64.min (h - 1) (i + di)), i64.max 0 (i64.min (w - 1) (j + dj))]

entry main [h][w] (az: f32) (alt: f32) (raw: [h][w]f32) : ([h][w]f32, [h][w]f32, [h][w]f32) =
  let z = tabulate_2d h w (\i j ->
    let p = nb raw i j
    in 20 * (4 * p 0 0 + 2 * (p 0 1 + p 0 (-1) + p 1 0 + p (-1) 0) + p 1 1 + p 1 (-1) + p (-1) 1 + p (-1) (-1)) / 16)
  let (gx, gy) = unzip (map unzip (tabulate_2d h w (\i j ->
    let p = nb z i j
    in ( ((p (-1) 1 + 2 * p 0 1 + p 1 1) - (p (-1) (-1) + 2 * p 0 (-1) + p 1 (-1))) / 8
       , ((p 1 (-1) + 2 * p 1 0 + p 1 1) - (p (-1) (-1) + 2 * p (-1) 0 + p (-1) 1)) / 8))))
  let slope = map2 (map2 (\a b -> f32.atan (f32.sqrt (a * a + b * b)))) gx gy
  let aspect = map2 (map2 (\a b -> f32.atan2 b (-a - 1e-9))) gx gy
  let zen = f32.pi / 2 * (1 - alt)
  let shade = map2 (map2 (\s a -> f32.max 0 (f32.cos zen * f32.cos s + f32.sin zen * f32.sin s * f32.cos (2 * f32.pi * az - a)))) slope aspect
  let tpi = tabulate_2d h w (\i j ->
    let p = nb z i j
    let m = f32.sum (map (\k -> p (k / 5 - 2) (k % 5 - 2)) (iota 25))
    in p 0 0 - m / 25)
  let rough = tabulate_2d h w (\i j ->
    let (lo, hi) = loop (lo, hi) = (f32.inf, -f32.inf) for k in -1i64..0...1 do
      let c = nb slope i j k
      in (f32.min lo (f32.min (c (-1)) (f32.min (c 0) (c 1))), f32.max hi (f32.max (c (-1)) (f32.max (c 0) (c 1))))
    in hi - lo)
  let relief = map3 (map3 (\s t r -> f32.max 0 (f32.min 1 (0.8 * s + 0.02 * t + 0.1 * r)))) shade tpi rough
  in (shade, tpi, relief)
