-- Exact squared distance transform: nearest in the row, then the lower envelope by trying a window.
entry main [h][w] (img: [h][w]u8) : [h][w]i32 =
  let far = 10000i32
  let fwd = map (\r -> scan (\(a, ra) (b, rb) -> if rb then (b, true) else (i32.min far (a + b), ra)) (0, false) (map (\p -> if p > 250 then (0, true) else (1, false)) r)) img
  let bwd = map (\r -> reverse (scan (\(a, ra) (b, rb) -> if rb then (b, true) else (i32.min far (a + b), ra)) (0, false) (reverse (map (\p -> if p > 250 then (0, true) else (1, false)) r)))) img
  let d = map2 (map2 (\(a, ha) (b, hb) -> i32.min (if ha then a else far) (if hb then b else far))) fwd bwd
  in tabulate_2d h w (\y x -> loop m = far*far for k < 65 do let yy = y + k - 32 in if yy < 0 || yy >= h then m else i32.min m (d[yy,x]*d[yy,x] + i32.i64 ((k-32)*(k-32))))
