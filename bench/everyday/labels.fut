-- Connected components: the least label of four neighbours until nothing changes.
entry main [h][w] (img: [h][w]u8) : [h][w]i32 =
  let on = map (map (\p -> p > 90)) img
  let init = tabulate_2d h w (\y x -> if on[y,x] then i32.i64 (y*w+x) else i32.highest)
  in (loop (l, go) = (init, true) while go do
      let get y x = if y < 0 || x < 0 || y >= h || x >= w then i32.highest else l[y,x]
      let new = tabulate_2d h w (\y x -> if !on[y,x] then i32.highest else
          i32.min l[y,x] (i32.min (i32.min (get (y-1) x) (get (y+1) x)) (i32.min (get y (x-1)) (get y (x+1)))))
      in (new, or (flatten (map2 (map2 (!=)) l new)))).0
