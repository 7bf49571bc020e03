-- Mutual information of all pairs of an alignment's columns, with the average-product correction.
def joint [n] (a: [n]u8) (b: [n]u8) : [16]i32 =
  loop h = replicate 16 0i32 for i < n do
    let k = i64.u8 ((a[i] & 3) << 2 | (b[i] & 3))
    in h with [k] = h[k] + 1

def mi [n] (a: [n]u8) (b: [n]u8) : f32 =
  let h = unflatten (joint a b :> [4 * 4]i32)
  let total = f32.i64 n + 16
  let p = map (map (\c -> (f32.i32 c + 1) / total)) h
  let pa = map f32.sum p
  let pb = map f32.sum (transpose p)
  in f32.sum (map2 (\row x -> f32.sum (map2 (\q y -> q * f32.log (q / (x * y))) row pb)) p pa)

def mean [k] (xs: [k]f32) = f32.sum xs / f32.i64 k

entry main [n] [l] (align: [n][l]u8) : ([l][l]f32, [l]f32) =
  let cols = transpose align
  let m = map (\a -> map (\b -> mi a b) cols) cols
  let avg = map mean m
  let whole = mean avg
  let apc = map2 (\row a -> map2 (\x b -> x - a * b / whole) row avg) m avg
  in (apc, avg)
