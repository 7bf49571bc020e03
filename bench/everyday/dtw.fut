-- Time warping of many pairs of series.
entry main [p][n] (a: [p][n]f32) (b: [p][n]f32) : [p]f32 =
  map2 (\a b ->
    let row = loop row = replicate (n+1) f32.inf with [0] = 0 for i < n do
      let (new, _) = loop (new, left) = (replicate (n+1) f32.inf, f32.inf) for j < n do
        let c = f32.abs (a[i]-b[j]) + f32.min left (f32.min row[j] row[j+1])
        in (new with [j+1] = c, c)
      in new
    in row[n]) a b
