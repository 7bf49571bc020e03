-- Two sorted runs merged by binary searches: every key finds its place among the other run's keys, payloads go along.
def bound [n] (below: i32 -> bool) (xs: [n]i32) : i64 =
  let (l, _) =
    loop (l, h) = (0, n) while l < h do
      let mid = (l + h) / 2
      in if below xs[mid] then (mid + 1, h) else (l, mid)
  in l

def sorted_run [n] (base: i32) (xs: [n]i32) : [n]i32 = map (+ base) (scan (+) 0 (map (& 7) xs))

entry main [n] [m] (xs: [n]i32) (ys: [m]i32) : ([]i32, []i32, i64, i64) =
  let a = sorted_run 5 xs
  let b = sorted_run 0 ys
  let places_a = map2 (\i k -> i + bound (< k) b) (iota n) a
  let places_b = map2 (\j k -> j + bound (<= k) a) (iota m) b
  let blank = zip (replicate (n + m) 0i32) (replicate (n + m) 0i32)
  let merged = scatter blank places_a (zip a xs)
  let merged = scatter merged places_b (zip b ys)
  let (keys, load) = unzip merged
  let distinct = i64.sum (tabulate (n + m) (\i -> i64.bool (i == 0 || keys[i] != keys[i - 1])))
  let disorder = i64.sum (tabulate (n + m) (\i -> if i > 0 && keys[i] < keys[i - 1] then 1 else 0))
  in (keys, load, distinct, disorder)
