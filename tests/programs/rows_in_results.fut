-- Points that make rows in several steps, which a processor's threads do in the rows of the results; and rows that are returned twice, or in another order.
-- ==
-- entry: updated twice turned either nested
-- compiled random input { [7][3000]i32 } auto output
-- compiled random input { [300][5]i32 } auto output
-- compiled random input { [2][1]i32 } auto output

-- ==
-- entry: of_input
-- compiled random input { 5i64 [7][3000]i32 } auto output
-- compiled random input { 0i64 [7][3000]i32 } auto output

-- ==
-- entry: scan_long
-- compiled random input { [9][1000]i32 } auto output
-- compiled random input { [5][127]i32 } auto output
-- compiled random input { [5][128]i32 } auto output
-- compiled random input { [3][513]i32 } auto output
-- compiled random input { [4][2500]i32 } auto output
-- compiled random input { [0][2500]i32 } auto output

-- A copy of the input's row, which is changed.
entry updated [n][m] (a: [n][m]i32) : [n][m]i32 =
  map (\r -> loop r = copy r for i < m do r with [i] = r[i] + r[m - 1 - i]) a

-- The same row in two results.
entry twice [n][m] (a: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  unzip (map (\r ->
                let s = loop r = copy r for i < m do r with [i] = r[i] * 3 + r[i / 2]
                in (s, s)) a)

-- A row, and what is made of it, in three results.
entry turned [n][m] (a: [n][m]i32) : ([n][m]i32, [n][m]i32, [n][m]i32) =
  unzip3 (map (\r ->
                 let s = scan (+) 0 r
                 let t = loop t = copy s for i < m do t with [m - 1 - i] = t[i] + s[i]
                 in (reverse t, s, reverse s)) a)

-- One of two rows, both of which are made.
entry either [n][m] (a: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  unzip (map (\r ->
                let s = scan (+) 0 r
                let t = loop t = copy s for i < m do t with [i] = t[i] + t[i / 2]
                in if r[0] % 2 == 0 then (s, t) else (t, s)) a)

-- Rows of rows, by loops that hand them on.
entry nested [n][m] (a: [n][m]i32) : [n][3][m]i32 =
  map (\r ->
         loop t = replicate 3 r for i < 2 do
           let u = map (\x -> loop x = copy x for j < m do x with [j] = x[j] + i32.i64 i) t
           in u with [i] = scan (+) 0 u[i + 1]) a

-- The input is read again behind, as it was.
entry of_input [n][m] (k: i64) (a: [n][m]i32) : ([n][m]i32, i32) =
  let b = map (\r -> loop r = copy r for i < i64.min k m do r with [i] = r[i] + 1) a
  in (b, i32.sum (map2 (\r s -> r[0] - s[0]) a b))

-- In parts of rows.
entry scan_long [n][m] (a: [n][m]i32) : [n][m]i32 =
  scan (map2 (+)) (replicate m 0) (map (\r -> loop r = copy r for i < m do r with [i] = r[i] + 3) a)
