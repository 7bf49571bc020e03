-- Motion-adaptive deinterlacing: missing lines come from the neighbouring fields where these agree, else from the best of seven edge directions.
entry main [t][h][w] (still: i32) (video: [t][h][w]u8): [t][h][w]u8 =
  let px f y x =
    let f = i64.max 0 (i64.min (t-1) f)
    let y = if y < 0 then y + 2 else if y >= h then y - 2 else y
    let x = i64.max 0 (i64.min (w-1) x)
    in i32.u8 (#[unsafe] video[f, y, x])
  let edge f y x =
    let (_, v) =
      loop (best, v) = (i32.highest, 0) for e in [0i64, -1, 1, -2, 2, -3, 3] do
        let c = loop c = 0 for j < 3 do c + i32.abs (px f (y-1) (x+e+j-1) - px f (y+1) (x-e+j-1))
        in if c < best then (c, (px f (y-1) (x+e) + px f (y+1) (x-e) + 1) / 2) else (best, v)
    in v
  let one f y x: u8 =
    if (y + f) % 2 == 0 then video[f, y, x]
    else
      let (before, after) = (px (f-1) y x, px (f+1) y x)
      let motion = i32.abs (before - after)
                   `i32.max` i32.abs (px f (y-1) x - px (f-2) (y-1) x)
                   `i32.max` i32.abs (px f (y+1) x - px (f-2) (y+1) x)
      let weave = (before + after + 1) / 2
      let k = i32.min still motion
      in u8.i32 ((weave * (still - k) + edge f y x * k) / still)
  in tabulate_3d t h w one
