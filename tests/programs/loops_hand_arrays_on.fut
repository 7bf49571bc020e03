-- Loops in threads and in blocks whose arrays change places, go from one loop to the next within, or are made over themselves.
-- ==
-- entry: two_change_places three_change_places
-- compiled random input { 5i64 [6][9]i32 } auto output
-- compiled random input { 0i64 [6][9]i32 } auto output
-- compiled random input { 4i64 [300][1]i32 } auto output

-- ==
-- entry: merge_sort
-- compiled random input { [7][13]u8 } auto output
-- compiled random input { [5][64]u8 } auto output
-- compiled random input { [3][1]u8 } auto output
-- compiled random input { [3][0]u8 } auto output

-- ==
-- entry: from_loop_to_loop read_between_loops
-- compiled random input { 3i64 [6][9]i32 } auto output
-- compiled random input { 0i64 [6][9]i32 } auto output

-- ==
-- entry: over_themselves not_over_themselves crosswise sums_of_tables
-- compiled random input { 3i64 [4][5][7]i32 } auto output
-- compiled random input { 0i64 [4][5][7]i32 } auto output
-- compiled random input { 2i64 [2][3][300]i32 } auto output

-- ==
-- entry: rows_of_blocks
-- compiled random input { 3i64 [4][700]i32 } auto output
-- compiled random input { 4i64 [2][3]i32 } auto output

entry two_change_places [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32) =
  unzip (map (\a ->
                loop (from, to) = (copy a, replicate n 0i32) for i < k do
                  let to = loop to for j < n do to with [j] = from[(j + i) % n] + 1
                  in (to, from)) a)

-- Of which one is left as it is in its turn, and one is there only for the others to be read from.
entry three_change_places [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32, [p][n]i32) =
  unzip3 (map (\a ->
                 let (x, y, z, _) =
                   loop (x, y, z, w): (*[n]i32, *[n]i32, *[n]i32, [n]i32) = (copy a, replicate n 1, replicate n 2, copy a) for i < k do
                     let x = if i % 2 == 0 && n > 0 then x with [i % n] = y[0] else x
                     let z = loop z for j < n do z with [j] = z[j] + w[j]
                     in (y, z, x, w)
                 in (x, y, z)) a)

-- The sizes of both are the same, which nothing in their types says.
entry merge_sort [p][n] (a: [p][n]u8) : ([p][n]u8, [p]i64) =
  unzip (map (\a ->
                let (a, _, _, swaps) =
                  loop (from, to, width, swaps) = (copy a, replicate n 0, 1, 0i64) while width < n do
                    let (to, swaps, _, _) =
                      loop (to, swaps, i, j) = (to, swaps, 0, width) for at < n do
                        let begin = at / (2 * width) * 2 * width
                        let (i, j) = if at == begin then (begin, begin + width) else (i, j)
                        let middle = i64.min n (begin + width)
                        in if i < middle && (j >= i64.min n (begin + 2 * width) || from[i] <= from[j])
                           then (to with [at] = from[i], swaps, i + 1, j)
                           else (to with [at] = from[j], swaps + middle - i, i, j + 1)
                    in (to, from, 2 * width, swaps)
                in (a, swaps)) a)

entry from_loop_to_loop [p][n] (k: i64) (a: [p][n]i32) : [p][n]i32 =
  map (\a ->
         loop x = a for i < k do
           let y = loop y = x for j < i do map2 (\u v -> 2 * u - v) y (reverse y)
           in loop z = y while n > 0 && z[0] > 1000 do map (\v -> v / 2 + z[n - 1]) z) a

entry read_between_loops [p][n] (k: i64) (a: [p][n]i32) : [p][n]i32 =
  map (\a ->
         loop x = a for i < k do
           let y = loop y = x for j < i do map2 (\u v -> 2 * u - v) y (reverse y)
           let z = loop z = y for j < 3 do map2 (\u v -> u + v + y[j % n]) z (reverse z)
           in map2 (+) z y) a

entry over_themselves [p][n][m] (k: i64) (a: [p][n][m]i32) : [p][n][m]i32 =
  map (\a ->
         loop x = replicate n (replicate m 1) for i < k do
           map2 (\xs as -> map2 (\x a -> x * 3 + a * i32.i64 i) xs as) x a) a

-- What is read is another element, or read again.
entry not_over_themselves [p][n][m] (k: i64) (a: [p][n][m]i32) : ([p][n][m]i32, [p][n][m]i32) =
  unzip (map (\a ->
                loop (x, y) = (copy a, copy a) for i < k do
                  (map2 (\xs as -> map2 (+) (reverse xs) as) x (reverse a),
                   map (\ys -> map (\v -> v + y[0, i % m]) ys) y)) a)

-- Each is made of both.
entry crosswise [p][n][m] (k: i64) (a: [p][n][m]i32) : ([p][n][m]i32, [p][n][m]i32) =
  unzip (map (\a ->
                loop (x, y) = (copy a, map (map (+ 1)) a) for _i < k do
                  unzip (map2 (\xs ys -> (map2 (+) xs ys, map2 (-) xs ys)) x y)) a)

entry sums_of_tables [p][n][m] (k: i64) (a: [p][n][m]i32) : [p][n][m]i32 =
  map (\a ->
         reduce (map2 (map2 (+))) (replicate n (replicate m 0)) (map (\i -> map (map (* i32.i64 i)) a) (iota k))) a

entry rows_of_blocks [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32) =
  unzip (map (\a ->
                loop (x, y) = (a, map (+ 1) a) for i < k do
                  let x = map2 (\u v -> u * 3 + v) x a
                  let y = loop y for j < i + 1 do map2 (\u v -> u + v * i32.i64 j) (rotate 1 y) y
                  in (x, y)) a)
