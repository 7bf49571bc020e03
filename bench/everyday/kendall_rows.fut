-- Kendall's tau-b per row of pairs: in-place insertion sort by x, then bottom-up merge sort by y counting discordant pairs, ties by runs.
def ties (n: i64) (key: i64 -> i32) : i64 =
  let (t, run) = loop (t, run) = (0, 1) for i in 1 ..< n do
                   if key i == key (i - 1) then (t, run + 1) else (t + run * (run - 1) / 2, 1)
  in t + run * (run - 1) / 2

def tau [k] (xs: [k]u16) (ys: [k]i8) : (f64, i64) =
  let pack x y = (i32.u16 (x % 64) << 8) | (i32.i8 y / 4 + 128)
  let a = loop a = map2 pack xs ys for i in 1 ..< k do
            let v = a[i]
            let (a, j) = loop (a, j) = (a, i) while j > 0 && a[j - 1] > v do
                           let t = a[j - 1]
                           in (a with [j] = t, j - 1)
            in a with [j] = v
  let tx = ties k (\i -> a[i] >> 8)
  let txy = ties k (\i -> a[i])
  let y0 = map (& 255) a
  let (y, _, _, disc) =
    loop (src, dst, width, inv) = (y0, replicate k 0, 1, 0i64) while width < k do
      let (dst, inv, _, _) =
        loop (dst, inv, i, j) = (dst, inv, 0, width) for p < k do
          let base = (p / (2 * width)) * 2 * width
          let (i, j) = if p == base then (base, base + width) else (i, j)
          let mid = i64.min k (base + width)
          let top = i64.min k (base + 2 * width)
          in if i < mid && (j >= top || src[i] <= src[j])
             then (dst with [p] = src[i], inv, i + 1, j)
             else (dst with [p] = src[j], inv + (mid - i), i, j + 1)
      in (dst, src, 2 * width, inv)
  let ty = ties k (\i -> y[i])
  let pairs = k * (k - 1) / 2
  let s = pairs - tx - ty + txy - 2 * disc
  let den = f64.sqrt (f64.i64 (pairs - tx) * f64.i64 (pairs - ty))
  in (if den > 0 then f64.i64 s / den else 0, disc)

def main [m][k] (xs: [m][k]u16) (ys: [m][k]i8) =
  let (t, d) = unzip (map2 tau xs ys)
  in (t, d, f64.sum t / f64.i64 m)
