-- Z-function of many short strings in private arrays: shortest period and number of borders of each.
def zfun [m] (s: [m]u8) : *[m]i32 =
  let n = i32.i64 m
  let (z, _, _) =
    loop (z, l, r) = (replicate m n, 0i32, 0i32) for i in 1..<n do
      let k = if i < r then i32.min (r - i) z[i - l] else 0
      let k = loop k while i + k < n && s[k] == s[i + k] do k + 1
      let z[i] = k
      in if i + k > r then (z, i, i + k) else (z, l, r)
  in z

def main [b][m] (letters: u8) (text: [b][m]u8) : ([b]i32, [b]i32, [b]f32) =
  let row (t: [m]u8) =
    let s = tabulate m (\i -> if t[0] < 128 then t[i % i64.min m (1 + i64.u8 t[0] % 40)] / letters else t[i] / letters)
    let z = zfun s
    let ends = map2 (\i k -> i64.i32 k == m - i && i > 0) (iota m) z
    let period = i64.minimum (map2 (\i e -> if e then i else m) (iota m) ends)
    in (i32.i64 period, i32.sum (map i32.bool ends), f32.i32 (i32.sum z) / f32.i64 m)
  in if m == 0 then unzip3 (replicate b (0, 0, 0)) else unzip3 (map row text)
