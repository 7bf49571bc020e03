-- SLIC superpixels in integers: centres on a grid, each pixel to the nearest of its nine, centres moved to their means; labels, sizes and how many pixels lie on a contour.
type centre = { y: i32, x: i32, r: i32, g: i32, b: i32 }

def step : i64 = 16

entry main [h][w] (rounds: i32) (compact: i32) (img: [h][w][3]u8): ([h][w]i32, []i32, i64) =
  let (gh, gw) = ((h + step - 1) / step, (w + step - 1) / step)
  let n = gh * gw
  let colour y x = let p = img[y, x] in (i32.u8 p[0], i32.u8 p[1], i32.u8 p[2])
  let seed k : centre =
    let y = i64.min (h-1) (k / gw * step + step/2)
    let x = i64.min (w-1) (k % gw * step + step/2)
    let (r, g, b) = colour y x
    in { y = i32.i64 y, x = i32.i64 x, r, g, b }
  let sq (a: i32) = a * a
  let assign (cs: [n]centre) (y: i64) (x: i64): i64 =
    let (r, g, b) = colour y x
    let (cy, cx) = (y / step, x / step)
    let (_, best) =
      loop (d, best) = (i32.highest, 0) for k < 9 do
        let (ny, nx) = (cy + k / 3 - 1, cx + k % 3 - 1)
        in if ny < 0 || nx < 0 || ny >= gh || nx >= gw then (d, best)
           else
             let j = ny * gw + nx
             let c = cs[j]
             let e = sq (c.r - r) + sq (c.g - g) + sq (c.b - b) + compact * (sq (c.y - i32.i64 y) + sq (c.x - i32.i64 x))
             in if e < d then (e, j) else (d, best)
    in best
  let add (a: (i32, i32, i32, i32, i32, i32)) (b: (i32, i32, i32, i32, i32, i32)) =
    (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3, a.4 + b.4, a.5 + b.5)
  let update (cs: [n]centre): ([n]centre, [n]i32) =
    let labels = flatten (tabulate_2d h w (assign cs))
    let vals = flatten (tabulate_2d h w (\y x -> let (r, g, b) = colour y x in (i32.i64 y, i32.i64 x, r, g, b, 1)))
    let sums = reduce_by_index (replicate n (0, 0, 0, 0, 0, 0)) add (0, 0, 0, 0, 0, 0) labels vals
    let move (c: centre) (y, x, r, g, b, m) =
      if m == 0 then c else { y = y / m, x = x / m, r = r / m, g = g / m, b = b / m }
    in (map2 move cs sums, map (.5) sums)
  let (cs, sizes) = loop (cs, _) = (map seed (iota n), replicate n 0) for _i < rounds do update cs
  let labels = tabulate_2d h w (\y x -> i32.i64 (assign cs y x))
  let contour = i64.sum (flatten (tabulate_2d h w (\y x ->
    let l = labels[y, x]
    in i64.bool ((y + 1 < h && labels[y+1, x] != l) || (x + 1 < w && labels[y, x+1] != l)))))
  in (labels, sizes, contour)
