-- 3x3 stride 2 with padding, max and average.
entry main [n][c][h][w] (x: [n][c][h][w]f32) : ([n][c][][]f32, [n][c][][]f32) =
  let oh = (h+1)/2 let ow = (w+1)/2
  let pool (p: [h][w]f32) op ne = tabulate_2d oh ow (\y x -> loop m = ne for i < 3i64 do loop m = m for j < 3i64 do
    let yy = 2*y+i-1 let xx = 2*x+j-1 in if yy < 0 || xx < 0 || yy >= h || xx >= w then m else op m p[yy,xx])
  in (map (map (\p -> pool p f32.max (-f32.inf))) x, map (map (\p -> map (map (/9)) (pool p (+) 0))) x)
