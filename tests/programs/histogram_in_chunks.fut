-- Histograms of which threads make one each for a chunk of the elements, of few bins and of many, in rows, of pairs and of vectors; some
-- elements are in no bin.
-- ==
-- entry: flat rows largest vectors
-- input { 0i64 5i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 4000i64 13i64 } output { true }
-- input { 5003i64 700i64 } output { true }
-- input { 3000i64 2999i64 } output { true }

def bin (k: i64) (i: i64) : i64 = (i * 7919) % (k + 3) - 1

def inside (k: i64) (b: i64) : bool = b >= 0 && b < k

def counted (k: i64) (n: i64) (start: i32) (value: i64 -> i32) : [k]i32 =
  loop h = replicate k start
  for i < n do
    let b = bin k i
    in if inside k b then h with [b] = h[b] + value i else h

entry flat (n: i64) (k: i64) : bool =
  let h = reduce_by_index (replicate k 3) (+) 0 (map (bin k) (iota n)) (map i32.i64 (iota n))
  in all id (map2 (==) h (counted k n 3 i32.i64))

entry rows (n: i64) (k: i64) : bool =
  let of_row r = hist (+) 0 k (map (bin k) (iota n)) (map (\i -> i32.i64 (i * r)) (iota n))
  let hs = map of_row (iota 20)
  in all id (map2 (\r h -> all id (map2 (==) h (counted k n 0 (\i -> i32.i64 (i * r))))) (iota 20) hs)

entry largest (n: i64) (k: i64) : bool =
  let value i = (i * 31) % 101
  let larger (v, i) (w, j) = if v > w || (v == w && i < j) then (v, i) else (w, j)
  let hs = reduce_by_index (replicate k (-1, n)) larger (-1, n) (map (bin k) (iota n)) (map (\i -> (value i, i)) (iota n))
  let expected =
    loop h = replicate k (-1, n)
    for i < n do
      let b = bin k i
      in if inside k b then h with [b] = larger h[b] (value i, i) else h
  in all id (map2 (\a b -> a.0 == b.0 && a.1 == b.1) hs expected)

entry vectors (n: i64) (k: i64) : bool =
  let h = reduce_by_index (replicate k (replicate 3 1)) (map2 (+)) (replicate 3 0) (map (bin k) (iota n)) (map (\i -> map (\j -> i32.i64 (i * j)) (iota 3)) (iota n))
  in all id (map (\j -> all id (map2 (\row c -> row[j] == c) h (counted k n 1 (\i -> i32.i64 (i * j))))) (iota 3))

-- No row, and more bins than fit anywhere.
-- ==
-- entry: none
-- input { 9223372036854775807i64 empty([0][5]i64) } output { empty([0][9223372036854775807]i32) }
-- input { 4611686018427387905i64 empty([0][5]i64) } output { empty([0][4611686018427387905]i32) }
entry none [r] [n] (k: i64) (bins: [r][n]i64) : [r][k]i32 = map (\b -> hist (+) 0i32 k b (map i32.i64 b)) bins
