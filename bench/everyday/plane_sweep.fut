-- Plane-sweep stereo with several rectified views at multiples of the baseline: absolute differences summed over a 5x5 window by two box passes, the best plane and a sub-plane fit.
def box5 [n] (v: [n]i32): [n]i32 =
  let padded = tabulate (n+4) (\i -> v[i64.max 0 (i64.min (n-1) (i-2))])
  in map (\i -> i32.sum padded[i:i+5]) (iota n)

entry main [k][h][w] (planes: i64) (ref: [h][w]u8) (views: [k][h][w]u8): ([h][w]i32, [h][w]f32) =
  let cost d =
    tabulate_2d h w (\y x ->
      i32.sum (tabulate k (\j ->
        let xx = i64.max 0 (x - d*(j+1))
        in i32.min 60 (i32.abs (i32.u8 ref[y, x] - i32.u8 views[j, y, xx])))))
    |> map box5 |> transpose |> map box5 |> transpose
  let volume = map cost (iota planes)
  let best = tabulate_2d h w (\y x ->
    (loop (d, c) = (0, volume[0, y, x]) for e in 1..<planes do
       let c' = volume[e, y, x] in if c' < c then (e, c') else (d, c)).0)
  let fine = tabulate_2d h w (\y x ->
    let d = best[y, x]
    in if d == 0 || d == planes - 1 then f32.i64 d
       else let (a, b, c) = (volume[d-1, y, x], volume[d, y, x], volume[d+1, y, x])
            in f32.i64 d + 0.5 * f32.i32 (a - c) / f32.i32 (i32.max 1 (a - 2*b + c)))
  in (map (map i32.i64) best, fine)
