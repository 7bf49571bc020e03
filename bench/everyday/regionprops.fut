-- Properties of labelled regions (skimage.measure.regionprops): area, bounding box, centroid, axes of inertia, perimeter, intensity range; then the largest regions' mask.
type box = (i32, i32, i32, i32)

def join ((a, b, c, d): box) ((e, f, g, h): box) : box =
  (i32.min a e, i32.min b f, i32.max c g, i32.max d h)

def sums_by [n] (k: i64) (is: [n]i64) (vs: [n]f64) : [k]f64 =
  reduce_by_index (replicate k 0) (+) 0 is vs

def safe (d: f64) : f64 = f64.max 1 d

entry main [h] [w] (k: i64) (labels: [h][w]i32) (img: [h][w]u8)
    : ([k]i32, [k][4]i32, [k][2]f64, [k][2]f64, [k]i32, [k][2]u8, [h][w]bool) =
  -- labels are coarse: pixels of a 4x4 block share the label of the block's first pixel, with some noise left in
  let lab =
    tabulate_2d h w (\y x ->
      let raw = labels[y, x]
      let pick = if raw & 7 == 0 then raw else labels[y - y % 4, x - x % 4]
      in i64.i32 (pick & 0x7fffffff) % k)
  let flat = flatten lab
  let ys = flatten (tabulate_2d h w (\y _ -> y))
  let xs = flatten (tabulate_2d h w (\_ x -> x))
  let area = hist (+) 0i32 k flat (map (const 1i32) flat)
  let big = i32.i64 (i64.max h w)
  let boxes =
    reduce_by_index (replicate k (big, big, -1, -1)) join (big, big, -1, -1) flat
      (map2 (\y x -> let (a, b) = (i32.i64 y, i32.i64 x) in (a, b, a, b)) ys xs)
  let count = map (\a -> safe (f64.i32 a)) area
  let cy = map2 (/) (sums_by k flat (map f64.i64 ys)) count
  let cx = map2 (/) (sums_by k flat (map f64.i64 xs)) count
  -- second pass: central moments
  let (myy, mxx, mxy) =
    let zero = (0f64, 0f64, 0f64)
    let parts =
      map3 (\l y x ->
              let dy = f64.i64 y - cy[l]
              let dx = f64.i64 x - cx[l]
              in (dy * dy, dx * dx, dx * dy))
           flat ys xs
    let add (a: f64, b: f64, c: f64) (d: f64, e: f64, f: f64) = (a + d, b + e, c + f)
    in unzip3 (reduce_by_index (replicate k zero) add zero flat parts)
  let axes =
    map4 (\a b c n ->
            let (a, b, c) = (a / n, b / n, c / n)
            let mid = (a + b) / 2
            let root = f64.sqrt (((a - b) / 2) ** 2 + c * c)
            in [4 * f64.sqrt (mid + root + 1.0 / 12), 4 * f64.sqrt (f64.max 0 (mid - root) + 1.0 / 12)])
         myy mxx mxy count
  -- pixels with a 4-neighbour of another label, or on the rim
  let edge =
    tabulate_2d h w (\y x ->
      let l = lab[y, x]
      let differs a b = if a < 0 || b < 0 || a >= h || b >= w then true else lab[a, b] != l
      in i32.bool (differs (y - 1) x || differs (y + 1) x || differs y (x - 1) || differs y (x + 1)))
  let perimeter = reduce_by_index (replicate k 0i32) (+) 0 flat (flatten edge)
  let pixels = flatten img
  let dark = reduce_by_index (replicate k u8.highest) u8.min u8.highest flat pixels
  let light = reduce_by_index (replicate k 0u8) u8.max 0 flat pixels
  let mean_area = i32.i64 (h * w / k)
  let keep = map (> mean_area) area
  in (area,
      map (\(a, b, c, d) -> [a, b, c, d]) boxes,
      map2 (\a b -> [a, b]) cy cx,
      axes,
      perimeter,
      map2 (\a b -> [a, b]) dark light,
      map (map (\l -> keep[l])) lab)
