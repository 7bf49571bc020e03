-- Chambolle's dual for total variation, 30 steps.
entry main [h][w] (steps: i32) (lambda: f32) (g: [h][w]f32) : [h][w]f32 =
  let z = replicate h (replicate w 0f32)
  let div (px: [h][w]f32) (py: [h][w]f32) = tabulate_2d h w (\y x ->
    (px[y,x] - (if x > 0 then px[y,x-1] else 0)) + (py[y,x] - (if y > 0 then py[y-1,x] else 0)))
  let (px,py) = loop (px,py) = (z,z) for _i < steps do
    let d = map2 (map2 (\d g -> d - g/lambda)) (div px py) g
    let new = tabulate_2d h w (\y x ->
      let gx = (if x < w-1 then d[y,x+1] else d[y,x]) - d[y,x]
      let gy = (if y < h-1 then d[y+1,x] else d[y,x]) - d[y,x]
      let n = 1 + 0.25*f32.sqrt (gx*gx+gy*gy)
      in ((px[y,x] + 0.25*gx)/n, (py[y,x] + 0.25*gy)/n))
    in (map (map (.0)) new, map (map (.1)) new)
  in map2 (map2 (\g d -> g - lambda*d)) g (div px py)
