-- Jaro-Winkler similarity of many pairs of short strings (a small alphabet, lengths taken from the first byte).
def letters [n] (s: [n]u8) : [n]u8 = map (\c -> 'a' + c % 6) s

def matched [n] (la: i64) (lb: i64) (a: [n]u8) (b: [n]u8) : ([n]bool, [n]bool, i32) =
  let range = i64.max 0 (i64.max la lb / 2 - 1)
  in loop (fa, fb, m) = (replicate n false, replicate n false, 0)
     for i < la do
       let stop = i64.min lb (i + range + 1)
       let j =
         loop j = i64.max 0 (i - range) while j < stop && (fb[j] || b[j] != a[i]) do j + 1
       in if j < stop
          then (fa with [i] = true, fb with [j] = true, m + 1)
          else (fa, fb, m)

def jaro_winkler [n] (a: [n]u8) (b: [n]u8) : f32 =
  let la = 1 + i64.u8 a[0] % n
  let lb = 1 + i64.u8 b[0] % n
  let (a, b) = (letters a, letters b)
  let (fa, fb, m) = matched la lb a b
  in if m == 0 then 0 else
     let (_, half) =
       loop (j, half) = (0, 0i32) for i < la do
         if !fa[i] then (j, half)
         else let j = loop j while !fb[j] do j + 1
              in (j + 1, if a[i] != b[j] then half + 1 else half)
     let m = f32.i32 m
     let jaro = (m / f32.i64 la + m / f32.i64 lb + (m - f32.i32 (half / 2)) / m) / 3
     let prefix = loop p = 0 while p < 4 && p < i64.min la lb && a[p] == b[p] do p + 1
     in jaro + 0.1 * f32.i64 prefix * (1 - jaro)

entry main [p] [n] (xs: [p][n]u8) (ys: [p][n]u8) : ([p]f32, f64, [11]i32) =
  let s = map2 jaro_winkler xs ys
  let mean = f64.sum (map f64.f32 s) / f64.i64 p
  let same =
    map2 (\a b -> i64.min 10 (i64.sum (map2 (\c d -> i64.bool (c == d)) (letters a) (letters b)))) xs ys
  in (s, mean, reduce_by_index (replicate 11 0) (+) 0 same (replicate p 1))
