-- Tomography: parallel projections of a square image, the ramp filter of Ramachandran and Lakshminarayanan as a convolution, and filtered backprojection.
entry main [n] (angles: i64) (img: [n][n]f32): ([angles][n]f32, [n][n]f32, f32) =
  let mid = f32.i64 (n - 1) / 2
  let dirs = tabulate angles (\a -> let t = f32.pi * f32.i64 a / f32.i64 angles in (f32.cos t, f32.sin t))
  let get y x = if y >= 0 && y < n && x >= 0 && x < n then #[unsafe] img[y, x] else 0
  let bilinear (y: f32) (x: f32): f32 =
    let (fy, fx) = (f32.floor y, f32.floor x)
    let (i, j) = (i64.f32 fy, i64.f32 fx)
    let (ty, tx) = (y - fy, x - fx)
    in (1-ty)*((1-tx)*get i j + tx*get i (j+1)) + ty*((1-tx)*get (i+1) j + tx*get (i+1) (j+1))
  let ray (c, s) (k: i64) =
    let r = f32.i64 k - mid
    in loop acc = 0 for i < n do
         let t = f32.i64 i - mid
         in acc + bilinear (mid + r*s + t*c) (mid + r*c - t*s)
  let sino = map (\d -> map (ray d) (iota n)) dirs
  let kernel = tabulate n (\i -> if i == 0 then 0.25 else if i % 2 == 0 then 0 else -1 / (f32.pi*f32.pi*f32.i64 (i*i)))
  let filtered = map (\row -> tabulate n (\k -> loop s = 0 for j < n do s + row[j] * kernel[i64.abs (k - j)])) sino
  let back y x =
    let (v, u) = (f32.i64 y - mid, f32.i64 x - mid)
    let s = loop s = 0 for a < angles do
      let (c, sn) = dirs[a]
      let p = mid + u*c + v*sn
      let p = f32.max 0 (f32.min (f32.i64 (n - 1)) p)
      let i = i64.min (n - 2) (i64.f32 p)
      let t = p - f32.i64 i
      in s + (1 - t)*filtered[a, i] + t*filtered[a, i+1]
    in s * f32.pi / f32.i64 angles
  let res = tabulate_2d n n back
  in (sino, res, f32.sum (map2 (\a b -> (a-b)*(a-b)) (flatten img) (flatten res)) / f32.i64 (n*n))
