-- Loops of threads and of blocks whose arrays change places, go from one loop to the next within, or are made over themselves.
-- ==
-- entry: two_change_places three_change_places from_loop_to_loop read_between_loops to_one_of_two to_branch one_is_new of_blocks
-- compiled random input { 3i64 [6][9]i32 } auto output
-- compiled random input { 0i64 [6][9]i32 } auto output
-- compiled random input { 4i64 [40][1]i32 } auto output
-- compiled random input { 5i64 [3][70]i32 } auto output

-- ==
-- entry: merge_sort
-- compiled random input { [7][13]u8 } auto output
-- compiled random input { [5][64]u8 } auto output
-- compiled random input { [3][1]u8 } auto output
-- compiled random input { [3][0]u8 } auto output

-- ==
-- entry: over_themselves not_over_themselves crosswise sums_of_tables
-- compiled random input { 3i64 [4][5][7]i32 } auto output
-- compiled random input { 0i64 [4][5][7]i32 } auto output
-- compiled random input { 2i64 [2][3][300]i32 } auto output

def two [n] (k: i64) (a: [n]i32) : ([n]i32, [n]i32) =
  loop (from, to): (*[n]i32, *[n]i32) = (copy a, replicate n 0) for i < k do
    let to = loop to for j < n do to with [j] = from[(j + i) % n] + 1
    in (to, from)

entry two_change_places [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32) =
  unzip (#[incremental_flattening(only_outer)] map (two k) a)

-- Of which one is left as it is in its turn, and one is there only for the others to be read from.
def three [n] (k: i64) (a: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  let (x, y, z, _) =
    loop (x, y, z, w): (*[n]i32, *[n]i32, *[n]i32, [n]i32) = (copy a, replicate n 1, replicate n 2, copy a) for i < k do
      let x = if i % 2 == 0 && n > 0 then x with [i % n] = y[0] else x
      let z = loop z for j < n do z with [j] = z[j] + w[j]
      in (y, z, x, w)
  in (x, y, z)

entry three_change_places [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32, [p][n]i32) =
  unzip3 (#[incremental_flattening(only_outer)] map (three k) a)

-- The sizes of both are the same, which nothing in their types says.
def sorted [n] (a: [n]u8) : ([n]u8, i64) =
  let (b, _, _, swaps) =
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
  in (b :> [n]u8, swaps)

entry merge_sort [p][n] (a: [p][n]u8) : ([p][n]u8, [p]i64) =
  unzip (#[incremental_flattening(only_outer)] map sorted a)

def through_loops [n] (k: i64) (a: [n]i32) : [n]i32 =
  loop x = a for i < k do
    let y = loop y = x for _j < i do map2 (\u v -> 2 * u - v) y (reverse y)
    let (z, _) = loop (z, turns) = (y, 0) while turns < 9 && i32.sum z % 5 != 0 do (map2 (\u v -> u / 2 + v) z (rotate 1 z), turns + 1)
    in z

entry from_loop_to_loop [p][n] (k: i64) (a: [p][n]i32) : [p][n]i32 =
  #[incremental_flattening(only_outer)] map (through_loops k) a

def read_between [n] (k: i64) (a: [n]i32) : [n]i32 =
  loop x = a for i < k do
    let y = loop y = x for _j < i do map2 (\u v -> 2 * u - v) y (reverse y)
    let z = loop z = y for j < 3 do map2 (\u v -> u + v + y[j % n]) z (reverse z)
    in map2 (+) z y

entry read_between_loops [p][n] (k: i64) (a: [p][n]i32) : [p][n]i32 =
  #[incremental_flattening(only_outer)] map (read_between k) a

-- To a loop in which it changes places with another.
def to_one [n] (k: i64) (a: [n]i32) : [n]i32 =
  loop x = a for i < k do
    let (_, y) = loop (z, y): ([n]i32, [n]i32) = (reverse a, x) for _j < i + 2 do
                   (y, map2 (\u v -> u - 2 * v) z (reverse y))
    in y

entry to_one_of_two [p][n] (k: i64) (a: [p][n]i32) : [p][n]i32 =
  #[incremental_flattening(only_outer)] map (to_one k) a

-- What the loops have made is where another one begins, that a branch has.
def to_branches [n] (k: i64) (a: [n]i32) : ([n]i32, i32) =
  loop (x, s) = (a, 0) for i < k do
    let y = loop y = x for _j < i + 1 do map2 (\u v -> 2 * u - v) y (reverse y)
    let t = if s % 2 == 0
            then i32.sum (loop z = y for _j < 3 do map2 (\u v -> u + 3 * v) z (reverse z))
            else s
    in (y, s + t + 1)

entry to_branch [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p]i32) =
  unzip (#[incremental_flattening(only_outer)] map (to_branches k) a)

-- The others move on by one place.
def new_one [n] (k: i64) (a: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  loop (x, y, z): ([n]i32, [n]i32, [n]i32) = (a, reverse a, replicate n 3) for i < k do
    (y, z, map3 (\u v w -> u - v + w * i32.i64 i) x (reverse y) (rotate 1 z))

entry one_is_new [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32, [p][n]i32) =
  unzip3 (#[incremental_flattening(only_outer)] map (new_one k) a)

entry of_blocks [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32, [p][n]i32, [p][n]i32, [p][n]i32) =
  let one a =
    let (x, y) =
      loop (x, y) = (a, map (+ 1) a) for i < k do
        let x = map2 (\u v -> u * 3 + v) x a
        let y = loop y for j < i + 1 do map2 (\u v -> u + v * i32.i64 j) (rotate 1 y) y
        in (x, y)
    in (x, map2 (+) y (through_loops k a), map2 (-) (read_between k a) (to_one k a), (to_branches k a).0, (new_one k a).2)
  in unzip5 (#[incremental_flattening(only_intra)] map one a)

entry over_themselves [p][n][m] (k: i64) (a: [p][n][m]i32) : [p][n][m]i32 =
  #[incremental_flattening(only_outer)]
  map (\a ->
         loop x = replicate n (replicate m 1) for i < k do
           map2 (\xs as -> map2 (\x a -> x * 3 + a * i32.i64 i) xs as) x a) a

-- What is read is another element, or read again.
entry not_over_themselves [p][n][m] (k: i64) (a: [p][n][m]i32) : ([p][n][m]i32, [p][n][m]i32) =
  unzip (#[incremental_flattening(only_outer)]
         map (\a ->
                loop (x, y) = (copy a, copy a) for i < k do
                  (map2 (\xs as -> map2 (+) (reverse xs) as) x (reverse a),
                   map (\ys -> map (\v -> v + y[0, i % m]) ys) y)) a)

-- Each is made of both.
entry crosswise [p][n][m] (k: i64) (a: [p][n][m]i32) : ([p][n][m]i32, [p][n][m]i32) =
  unzip (#[incremental_flattening(only_outer)]
         map (\a ->
                loop (x, y) = (copy a, map (map (+ 1)) a) for _i < k do
                  unzip (map2 (\xs ys -> (map2 (+) xs ys, map2 (-) xs ys)) x y)) a)

entry sums_of_tables [p][n][m] (k: i64) (a: [p][n][m]i32) : [p][n][m]i32 =
  #[incremental_flattening(only_outer)]
  map (\a ->
         reduce (map2 (map2 (+))) (replicate n (replicate m 0)) (map (\i -> map (map (* i32.i64 i)) a) (iota k))) a
