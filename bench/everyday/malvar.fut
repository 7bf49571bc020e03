-- Malvar, He and Cutler's demosaicing of a 12-bit RGGB mosaic: 5x5 filters with gradient correction, mirrored border, then a colour matrix and a tone curve.
def mirror (n: i64) (i: i64): i64 = if i < 0 then -i else if i >= n then 2*n - 2 - i else i

entry main [h][w] (raw: [h][w]i32) (ccm: [3][3]f32): [h][w][3]f32 =
  let m = map (map (& 4095)) raw
  let at (y: i64) (x: i64) = m[mirror h y, mirror w x]
  let pixel y x =
    let c = at y x
    let ew = at y (x-1) + at y (x+1)
    let ns = at (y-1) x + at (y+1) x
    let ew2 = at y (x-2) + at y (x+2)
    let ns2 = at (y-2) x + at (y+2) x
    let dg = at (y-1) (x-1) + at (y-1) (x+1) + at (y+1) (x-1) + at (y+1) (x+1)
    let cross = (8*c + 4*(ew + ns) - 2*(ew2 + ns2)) / 16
    let along = (10*c + 8*ew - 2*dg - 2*ew2 + ns2) / 16
    let across = (10*c + 8*ns - 2*dg - 2*ns2 + ew2) / 16
    let opposite = (12*c + 4*dg - 3*(ew2 + ns2)) / 16
    let (r, g, b) =
      if y % 2 == 0
      then if x % 2 == 0 then (c, cross, opposite) else (along, c, across)
      else if x % 2 == 0 then (across, c, along) else (opposite, cross, c)
    let f v = f32.i32 (i32.max 0 (i32.min 4095 v)) / 4095
    in [f r, f g, f b]
  let curve v = let v = f32.max 0 (f32.min 1 v) in v * (1.8 - 0.8*v)
  let balance = map (\row -> map (/ (0.1 + f32.sum row)) row) ccm
  in tabulate_2d h w (\y x ->
       let p = pixel y x
       in map (\row -> curve (f32.sum (map2 (*) row p))) balance)
