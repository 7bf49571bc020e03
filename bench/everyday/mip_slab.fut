-- Sliding slabs of a CT volume (i16): window level to u8, then maximum, minimum and mean projections of every slab and a histogram of the maxima.
entry main [d][h][w] (thick: i64) (centre: i32) (width: i32) (ct: [d][h][w]i16) : ([][h][w]u8, [][h][w]u8, [][h][w]u8, [256]i32) =
  let step = i64.max 1 (thick / 2)
  let slabs = if d <= thick then 1 else (d - thick) / step + 1
  let hu = map (map (map (\v -> i32.i16 (v & 4095) - 1024))) ct
  let grey = map (map (map (\v ->
      let t = (v - centre + width / 2) * 255 / width
      in i32.max 0 (i32.min 255 t)))) hu
  let project s y x =
    let z0 = s * step
    let z1 = i64.min d (z0 + thick)
    let (mx, mn, sm) = loop (mx, mn, sm) = (0, 255, 0) for z in z0..<z1 do
      let v = grey[z,y,x]
      in (i32.max mx v, i32.min mn v, sm + v)
    in (u8.i32 mx, u8.i32 mn, u8.i32 (sm / i32.i64 (z1 - z0)))
  let (a, b, c) = tabulate_3d slabs h w project |> map (map unzip3) |> map unzip3 |> unzip3
  let hi = hist (+) 0 256 (map i64.u8 (flatten_3d a)) (replicate (slabs*h*w) 1i32)
  in (a, b, c, hi)
