-- Surface nets of a volume: a vertex in each cell that the isosurface crosses (the mean of its edges' crossings), compacted, with each cell's vertex number and the count of faces.
entry main [d][h][w] (iso: f32) (vol: [d][h][w]f32): ([][3]f32, []i32, i64) =
  let (cd, ch, cw) = (d - 1, h - 1, w - 1)
  let corner z y x k = vol[z + k / 4, y + k / 2 % 2, x + k % 2]
  let sign_bits z y x = loop m = 0u8 for k < 8 do m | (u8.bool (corner z y x k > iso) << u8.i64 k)
  let cases = flatten_3d (tabulate_3d cd ch cw sign_bits)
  let active = map (\c -> c != 0 && c != 255) cases
  let offsets = scan (+) 0 (map i64.bool active)
  let total = if length offsets == 0 then 0 else last offsets
  let place i =
    let (z, y, x) = (i / (ch*cw), i / cw % ch, i % cw)
    let (sz, sy, sx, n) =
      loop (sz, sy, sx, n) = (0, 0, 0, 0) for e < 12i64 do
        -- edge e runs along axis e / 4, from the corner that the low bits spread over the other axes
        let axis = e / 4
        let (p, q) = (e % 4 / 2, e % 2)
        let (a, step) = if axis == 0 then (2*p + q, 4) else if axis == 1 then (4*p + q, 2) else (4*p + 2*q, 1)
        let b = a + step
        let (va, vb) = (corner z y x a, corner z y x b)
        in if (va > iso) == (vb > iso) then (sz, sy, sx, n)
           else let t = (iso - va) / (vb - va)
                let f bit = f32.i64 (a / bit % 2) + (if step == bit then t else 0)
                in (sz + f 4, sy + f 2, sx + f 1, n + 1)
    in [f32.i64 z + sz/n, f32.i64 y + sy/n, f32.i64 x + sx/n]
  let cells = scatter (replicate total 0) (map2 (\a o -> if a then o - 1 else -1) active offsets) (indices cases)
  let numbers = map2 (\a o -> if a then i32.i64 (o - 1) else -1) active offsets
  let crossing a b = i64.bool ((a > iso) != (b > iso))
  let faces = i64.sum (flatten_3d (tabulate_3d cd ch cw (\z y x ->
    let v = vol[z, y, x]
    let inner a b = i64.bool (a > 0 && b > 0)
    in inner y x * crossing v vol[z+1, y, x] + inner z x * crossing v vol[z, y+1, x] + inner z y * crossing v vol[z, y, x+1])))
  in (map place cells, numbers, faces)
