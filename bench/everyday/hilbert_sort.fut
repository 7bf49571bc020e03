-- Hilbert-curve keys of 2-D points, 4-bit radix sort by key, bounding boxes of runs of 16 and the tour length.
def hilbert (x: u32) (y: u32) : u32 =
  (loop (x, y, d, s) = (x, y, 0u32, 1u32 << 11) while s > 0 do
     let rx = u32.bool (x & s > 0)
     let ry = u32.bool (y & s > 0)
     let d = d + s * s * ((3 * rx) ^ ry)
     let (x, y) = if ry == 0 then (if rx == 1 then (4095 - y, 4095 - x) else (y, x)) else (x, y)
     in (x, y, d, s >> 1)).2

-- one pass: counts of each digit in blocks of 256, scanned digit-major, then a stable scatter
def pass [n] 't (key: t -> u32) (b: u32) (xs: [n]t) : [n]t =
  let blk : i64 = 256
  let nb = (n + blk - 1) / blk
  let dig i = i64.u32 ((key xs[i] >> b) & 15)
  let cnt = hist (+) 0 (16 * nb) (tabulate n (\i -> dig i * nb + i / blk)) (replicate n 1i64)
  let base = map2 (-) (scan (+) 0 cnt) cnt
  let place = tabulate nb (\k ->
      (loop (c, pos) = (replicate 16 0i64, replicate blk (-1)) for j < i64.min blk (n - k * blk) do
         let d = dig (k * blk + j)
         let pos = pos with [j] = base[d * nb + k] + c[d]
         in (c with [d] = c[d] + 1, pos)).1)
  let flat = flatten place
  in scatter (copy xs) (tabulate n (\i -> flat[i])) xs

entry main [n] (xs: [n]f32) (ys: [n]f32) : ([n]u32, []f32, f64) =
  let q v = u32.f32 (v * 4095)
  let ps = map3 (\x y i -> (hilbert (q x) (q y), i32.i64 i)) xs ys (iota n)
  let sorted = loop ps for k < 6 do pass (.0) (4 * u32.i32 k) ps
  let ord = map (\p -> i64.i32 p.1) sorted
  let areas = tabulate ((n + 15) / 16) (\g ->
      let (x0, x1, y0, y1) = loop (x0, x1, y0, y1) = (1, 0, 1, 0) for i in g * 16..<i64.min n (g * 16 + 16) do
        let x = xs[ord[i]]
        let y = ys[ord[i]]
        in (f32.min x0 x, f32.max x1 x, f32.min y0 y, f32.max y1 y)
      in (x1 - x0) * (y1 - y0))
  let tour = f64.sum (tabulate n (\i ->
      let a = ord[i]
      let b = ord[i64.min (n - 1) (i + 1)]
      in f64.f32 (f32.sqrt ((xs[a] - xs[b]) ** 2 + (ys[a] - ys[b]) ** 2))))
  in (map (.0) sorted, areas, tour)
