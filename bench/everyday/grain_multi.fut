-- Grain growth by a multi-order-parameter phase field: six coupled Allen-Cahn fields per cell stored innermost, mirrored borders, grain areas at the end.
def q : i64 = 6

entry main [h][w] (steps: i32) (dt: f32) (kappa: f32) (init: [h][w][6]f32) : ([h][w]f32, [6]f32) =
  let mir n i = let j = if i < 0 then -i else if i >= n then 2*n - 2 - i else i in i64.max 0 (i64.min (n-1) j)
  let lap (e: [h][w][6]f32) y x k =
    e[mir h (y-1), x, k] + e[mir h (y+1), x, k] + e[y, mir w (x-1), k] + e[y, mir w (x+1), k] - 4 * e[y,x,k]
  let step (e: [h][w][6]f32) : [h][w][6]f32 =
    tabulate_2d h w (\y x ->
      let here = e[y,x]
      let s2 = f32.sum (map (\v -> v*v) here)
      in map2 (\k v ->
           let v' = v - dt * (v*v*v - v + 3 * v * (s2 - v*v) - kappa * lap e y x k)
           in f32.max 0 (f32.min 1 v')) (iota 6) here)
  let e = loop e = init for _i < steps do step e
  let boundary = map (map (\c -> 1 - f32.sum (map (** 2) c))) e
  let area = tabulate q (\k -> f32.sum (map (\r -> f32.sum (map (\c -> c[k]) r)) e) / f32.i64 (h*w)) :> [6]f32
  in (boundary, area)
