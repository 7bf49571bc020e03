-- Energy of the cheapest seam to each pixel, row after row.
entry main [h][w] (img: [h][w]f32) : [w]f32 =
  let cl (i: i64) = i64.max 0 (i64.min (w-1) i)
  let energy = tabulate_2d h w (\y x -> f32.abs (img[y,cl (x+1)] - img[y,cl (x-1)]) + f32.abs (img[i64.min (h-1) (y+1),x] - img[i64.max 0 (y-1),x]))
  in loop row = energy[0] for y < h-1 do
     tabulate w (\x -> energy[y+1,x] + f32.min row[x] (f32.min row[cl (x-1)] row[cl (x+1)]))
