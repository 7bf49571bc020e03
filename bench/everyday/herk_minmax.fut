-- Least and greatest of every window, from scans forward and backward in blocks of the window's length.
def scan_back [n] 'a (f: a -> a -> a) (ne: a) (xs: [n]a) : [n]a =
  reverse (scan f ne (reverse xs))

def windows [n] (w: i64) (f: i32 -> i32 -> i32) (ne: i32) (xs: [n]i32) : [n]i32 =
  let b = (n + w - 1) / w
  let padded = tabulate (b * w) (\i -> if i < n then xs[i] else ne)
  let grid = unflatten padded
  let fore = flatten (map (scan f ne) grid)
  let back = flatten (map (scan_back f ne) grid)
  -- the window that ends at i
  in tabulate n (\i -> if i < w then fore[i] |> (\v -> if i + 1 < w then v else f v back[0]) else f back[i - w + 1] fore[i])

entry main [n] (w: i64) (xs: [n]i32) : ([n]i32, [n]i32, i64) =
  let xs = map (>> 4) xs
  let lo = windows w i32.min i32.highest xs
  let hi = windows w i32.max i32.lowest xs
  in (lo, hi, i64.sum (map2 (\a b -> i64.i32 b - i64.i32 a) lo hi))
