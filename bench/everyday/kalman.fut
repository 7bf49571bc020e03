-- Kalman filters of 4 states, many in parallel.
def mm [a][b][c] (x: [a][b]f32) (y: [b][c]f32) : [a][c]f32 = map (\r -> map (\k -> f32.sum (map2 (*) r k)) (transpose y)) x
entry main [n][t] (z: [n][t]f32) : [n][4]f32 =
  let f = [[1,0.1,0,0],[0,1,0,0],[0,0,1,0.1],[0,0,0,1f32]]
  in map (\zs ->
    let (x, _) = loop (x, p) = (replicate 4 0f32, tabulate_2d 4 4 (\i j -> if i == j then 1 else 0)) for i < t do
      let x = map (\r -> f32.sum (map2 (*) r x)) f
      let p = mm (mm f p) (transpose f)
      let p = tabulate_2d 4 4 (\i j -> p[i,j] + (if i == j then 0.01 else 0))
      let s = p[0,0] + 0.1
      let k = map (\r -> r[0]/s) p
      let y = zs[i] - x[0]
      in (map2 (\x k -> x + k*y) x k, tabulate_2d 4 4 (\i j -> p[i,j] - k[i]*p[0,j]))
    in x) z
