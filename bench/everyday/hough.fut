-- Hough transform of edge pixels.
entry main [h][w] (angles: i64) (radii: i64) (img: [h][w]u8) : [angles][radii]i32 =
  let diag = f32.sqrt (f32.i64 (h*h+w*w))
  in map (\a ->
    let t = 3.14159265*f32.i64 a/f32.i64 angles
    let (c, s) = (f32.cos t, f32.sin t)
    let votes = flatten (tabulate_2d h w (\y x -> if img[y,x] > 240 then i64.f32 ((f32.i64 x*c + f32.i64 y*s + diag)/(2*diag)*f32.i64 radii) else -1))
    in reduce_by_index (replicate radii 0) (+) 0 votes (replicate (h*w) 1i32)) (iota angles)
