-- Catchment basins: each pixel points to its lowest neighbour (ties by place), pointers jump until none moves; the basins' number, the largest, its mean grey and each pixel's label.
entry main [h][w] (img: [h][w]u8): ([h][w]i32, i64, i32, i64) =
  let at (a: [h][w]i32) y x = a[(y + h) % h, (x + w) % w]
  let blur a = tabulate_2d h w (\y x ->
    at a (y-1) (x-1) + at a (y-1) (x+1) + at a (y+1) (x-1) + at a (y+1) (x+1)
    + 2*(at a (y-1) x + at a (y+1) x + at a y (x-1) + at a y (x+1)) + 4*at a y x)
  let height = iterate 4 blur (map (map i32.u8) img)
  let lowest y x =
    let pick (v, i) (dy, dx) =
      let (y2, x2) = ((y + dy + h) % h, (x + dx + w) % w)
      let u = height[y2, x2]
      let j = y2*w + x2
      in if u < v || (u == v && j < i) then (u, j) else (v, i)
    in (loop best = (height[y, x], y*w + x) for k < 9 do pick best (k / 3 - 1, k % 3 - 1)).1
  let n = h*w
  let start = flatten (tabulate_2d h w lowest) :> [n]i64
  let (ptr, _) =
    loop (p, moved) = (start, true) while moved do
      let q = map (\i -> p[p[i]]) (indices p)
      in (q, or (map2 (!=) p q))
  let sizes = hist (+) 0i32 n ptr (replicate n 1)
  let sums = hist (+) 0i64 n ptr (map i64.u8 (flatten img :> [n]u8))
  let basins = i64.sum (map (\s -> i64.bool (s > 0)) sizes)
  let (big, at_big) = reduce (\a b -> if a.0 > b.0 || (a.0 == b.0 && a.1 < b.1) then a else b) (-1, i64.highest) (zip sizes (iota n))
  in (unflatten (map i32.i64 ptr :> [h*w]i32), basins, big, sums[at_big] / i64.i32 big)
