-- Loops in threads that hand on arrays which each step makes anew, or updates in some branches.
-- ==
-- entry: distances
-- compiled random input { [5][7]i32 [5][7]i32 } auto output
-- compiled random input { [300][1]i32 [300][1]i32 } auto output
-- compiled random input { [3][0]i32 [3][0]i32 } auto output

-- ==
-- entry: two_rows
-- compiled random input { 4i64 [6][9]i32 } auto output
-- compiled random input { 5i64 [6][9]i32 } auto output
-- compiled random input { 0i64 [6][9]i32 } auto output

-- ==
-- entry: handed_on
-- compiled random input { 5i64 [6][9]i32 } auto output

-- ==
-- entry: until_small
-- compiled random input { [8][5]i32 } auto output

-- ==
-- entry: in_branches in_some_branches
-- compiled random input { [9][16]i32 } auto output

-- ==
-- entry: within_others
-- compiled random input { 3i64 [4][6]i32 } auto output

-- Each row is made of the one before.
entry distances [p][n] (a: [p][n]i32) (b: [p][n]i32) : [p][n+1]i32 =
  map2 (\a b ->
          loop row = map i32.i64 (iota (n + 1)) for i < n do
            let new = replicate (n + 1) (i32.i64 i)
            in loop new for j < n do
                 let c = if a[i] & 1 == b[j] & 1 then 0 else 1
                 in new with [j+1] = i32.min (row[j] + c) (1 + i32.min row[j+1] new[j])) a b

-- Two at once, each of which reads both.
entry two_rows [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32) =
  unzip (map (\a ->
                loop (x, y): ([n]i32, [n]i32) = (a, reverse a) for i < k do
                  let s = scan (+) 0 x
                  let t = map2 (\u j -> u + x[(j + i) % n]) (reverse y) (iota n)
                  in (t, map2 (+) s (rotate 1 x))) a)

-- What was made in one step is the other in the next.
entry handed_on [p][n] (k: i64) (a: [p][n]i32) : ([p][n]i32, [p][n]i32) =
  unzip (map (\a ->
                loop (x, y): ([n]i32, [n]i32) = (a, map (+ 1) a) for i < k do
                  (y, map2 (\u v -> u + v * i32.i64 i) (reverse x) y)) a)

-- No one knows how often.
entry until_small [p][n] (a: [p][n]i32) : [p][n]i32 =
  map (\a -> loop x = map (& 1023) a while i32.sum x > 7 do map2 (\u v -> u / 2 + (if v > u then 1 else 0)) x (rotate 1 x)) a

-- Updated, or left as it is.
entry in_branches [p][n] (a: [p][n]i32) : [p][n]i32 =
  map (\a ->
         loop x = copy a for i < n do
           if x[i] < 0 then x with [i] = -x[i] / 2
           else if x[i] % 3 == 0 then loop x for j < i do if j % 2 == 0 then x with [j] = x[j] + 1 else x
           else x) a

-- Updated, or another one.
entry in_some_branches [p][n] (a: [p][n]i32) : [p][n]i32 =
  map (\a ->
         loop x = copy a for i < n do
           if x[i] < 0 then x with [i] = i32.i64 i
           else if x[i] % 3 == 0 then map (+ 1) x
           else copy a) a

-- Loops within loops, both of which make rows.
entry within_others [p][n] (k: i64) (a: [p][n]i32) : [p][n]i32 =
  map (\a ->
         loop x = a for i < k do
           let y = loop y = map (* 2) x for j < k + i do map2 (\u v -> u - v + x[j % n]) (rotate 1 y) y
           in map2 (+) y (scan i32.max i32.lowest x)) a
