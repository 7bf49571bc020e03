-- Hampel filter of integer samples: the median of seven and the median deviation find outliers, which are replaced and counted.
def width : i64 = 7

def swap_if (a: *[width]i32) (i: i64) (j: i64) : *[width]i32 =
  let lo = i32.min a[i] a[j]
  let hi = i32.max a[i] a[j]
  let a[i] = lo
  let a[j] = hi
  in a

def median (xs: [width]i32) : i32 =
  let a = loop a = copy xs for r < width do
    loop a for k < (width - r % 2) / 2 do
      let i = 2 * k + r % 2
      in if i + 1 < width then swap_if a i (i + 1) else a
  in a[width / 2]

entry main [c] [n] (times: i32) (data: [c][n]i32) : ([c][n]i32, [c]i32) =
  let channel (xs: [n]i32) =
    let signal = map (\x -> if x & 15 == 0 then (x >> 8) else x >> 14) xs
    let one i =
      let win = tabulate width (\k -> signal[i64.max 0 (i64.min (n - 1) (i + k - width / 2))])
      let m = median win
      let mad = median (map (\x -> i32.abs (x - m)) win)
      in if i32.abs (signal[i] - m) > times * mad then (m, 1) else (signal[i], 0)
    let (ys, flags) = unzip (tabulate n one)
    in (ys, i32.sum flags)
  in unzip (map channel data)
