-- Loops in threads, and of few steps on the host, whose steps write into arrays that they hand on: by scatter, histograms or accumulators, what they
-- were handed or what they have just made.
-- ==
-- entry: scattered scattered_anew both_ways
-- compiled random input { 5i64 [6][90]i64 } auto output
-- compiled random input { 0i64 [6][90]i64 } auto output
-- compiled random input { 4i64 [3][2500]i64 } auto output

-- ==
-- entry: counted counted_anew
-- compiled random input { 5i64 [6][90]i64 } auto output
-- compiled random input { 3i64 [2][3000]i64 } auto output

-- ==
-- entry: on_host on_host_anew on_host_counted
-- compiled random input { 7i64 [90]i64 } auto output
-- compiled random input { 2i64 [50000]i64 } auto output

def place [n] (k: i64) (a: [n]i64) : [n]i64 = map2 (\x j -> if x % 5 == 0 then -1 else (x + k * j) % n) a (iota n)

-- The values read the array that is written into.
entry scattered [p][n] (k: i64) (as: [p][n]i64) : [p][n]i64 =
  map (\a ->
         loop x = copy a for i < k do
           let values = map (\j -> x[(j * 7 + i) % n] + 1) (iota n)
           in scatter x (map (\j -> (j + i * n / 2) % (n + 3)) (iota n)) values) as

-- Every second element of what was made stays as it was.
entry scattered_anew [p][n] (k: i64) (as: [p][n]i64) : [p][n]i64 =
  map (\a ->
         loop x = a for i < k do
           let y = map2 (\u j -> u * 3 + x[(j + i) % n]) (reverse x) (iota n)
           in scatter y (map (\j -> 2 * j) (iota n)) (map (\j -> x[n - 1 - j]) (iota n))) as

-- What one step wrote into is the other in the next.
entry both_ways [p][n] (k: i64) (as: [p][n]i64) : ([p][n]i64, [p][n]i64) =
  unzip (map (\a ->
                loop (x, y): (*[n]i64, *[n]i64) = (copy a, map (+ 1) a) for i < k do
                  let v = map (\j -> y[j] * 2 + x[n - 1 - j]) (iota n)
                  in (y, scatter x (map (\j -> (j + i) % (n + 1)) (iota n)) v)) as)

entry counted [p][n] (k: i64) (as: [p][n]i64) : [p][n]i64 =
  map (\a ->
         loop x = copy a for i < k do
           let values = map (\j -> x[(j + i) % n] % 100) (iota n)
           in reduce_by_index x (+) 0 (place i (map i64.abs a)) values) as

entry counted_anew [p][n] (k: i64) (as: [p][n]i64) : [p][n]i64 =
  map (\a ->
         loop x = a for i < k do
           let y = map2 (\u j -> u / 2 + x[(j + 1) % n]) x (iota n)
           in reduce_by_index y i64.max i64.lowest (place i (map i64.abs a)) (reverse x)) as

entry on_host [n] (k: i64) (a: [n]i64) : [n]i64 =
  loop x = copy a for i < k do
    let values = map (\j -> x[(j * 7 + i) % n] + 1) (iota n)
    in scatter x (map (\j -> (j + i * n / 2) % (n + 3)) (iota n)) values

entry on_host_anew [n] (k: i64) (a: [n]i64) : [n]i64 =
  loop x = copy a for i < k do
    let y = map2 (\u j -> u * 3 + x[(j + i) % n]) (reverse x) (iota n)
    in scatter y (map (\j -> 2 * j) (iota n)) (map (\j -> x[n - 1 - j]) (iota n))

entry on_host_counted [n] (k: i64) (a: [n]i64) : [n]i64 =
  loop x = copy a for i < k do
    let values = map (\j -> x[(j + i) % n] % 100) (iota n)
    in reduce_by_index x (+) 0 (place i (map i64.abs a)) values
