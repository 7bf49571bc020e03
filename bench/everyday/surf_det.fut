-- SURF's detector: box-filtered determinants of the Hessian from an integral image at four sizes, maxima in 3x3x3, all in integers; how many at each size and their mask.
def integral [h][w] (img: [h][w]u8): [h][w]u32 =
  let rows = map (scan (+) 0) (map (map u32.u8) img)
  in transpose (map (scan (+) 0) (transpose rows))

entry main [h][w] (bound: i64) (img: [h][w]u8): ([h][w]u8, [4]i32, i64) =
  let ii = integral img
  let get y x = if y < 0 || x < 0 then 0 else ii[i64.min (h-1) y, i64.min (w-1) x]
  -- the sum over rows [y, y+r) and columns [x, x+c)
  let box y x r c : i64 =
    i64.i32 (i32.u32 (get (y+r-1) (x+c-1) - get (y-1) (x+c-1) - get (y+r-1) (x-1) + get (y-1) (x-1)))
  let det (l: i64) (y: i64) (x: i64): i64 =
    let size = 3*l
    let half = size/2
    let dyy = box (y-half) (x-l+1) size (2*l-1) - 3 * box (y - l/2) (x-l+1) l (2*l-1)
    let dxx = box (y-l+1) (x-half) (2*l-1) size - 3 * box (y-l+1) (x - l/2) (2*l-1) l
    let dxy = box (y-l) (x+1) l l + box (y+1) (x-l) l l - box (y-l) (x-l) l l - box (y+1) (x+1) l l
    in (100*dxx*dyy - 81*dxy*dxy) / (100*l*l*l*l)
  let ls = [3i64, 5, 7, 9]
  let dets = map (\l -> tabulate_2d h w (det l)) ls
  let is_max s y x =
    let v = dets[s, y, x]
    let cube = tabulate 27 (\k ->
      let (ds, dy, dx) = (k/9 - 1, k/3%3 - 1, k%3 - 1)
      let (s2, y2, x2) = (s+ds, y+dy, x+dx)
      in k == 13 || s2 < 0 || s2 >= 4 || y2 < 0 || y2 >= h || x2 < 0 || x2 >= w || dets[s2, y2, x2] < v)
    in v > bound && and cube
  let found = tabulate_3d 4 h w is_max
  let mask = tabulate_2d h w (\y x -> loop m = 0u8 for s < 4 do if found[s, y, x] then m | (1 << u8.i64 s) else m)
  in (mask, map (\f -> i32.sum (map i32.bool (flatten f))) found, i64.maximum (flatten_3d dets))
