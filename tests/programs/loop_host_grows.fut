-- Loops whose sizes change from step to step: sums over what there is so far or over what is left, of few points, and rows that are put where they belong.
-- Sums are long enough in some steps to be taken in parts.
-- ==
-- entry: rows columns panels farthest
-- input { 0i64 3i64 } auto output
-- input { 1i64 1i64 } auto output
-- input { 7i64 5i64 } auto output
-- input { 150i64 6i64 } auto output
-- input { 201i64 3i64 } auto output

def made (n: i64) (m: i64) : [n][m]i64 = tabulate_2d n m (\i j -> (i * 37 + j * 101 + i * j) % 211 - 100)

-- Each row follows from the rows before it: sums down columns.
entry rows (n: i64) (m: i64) : [n][m]i64 =
  let l = made n n
  in loop x = made n m for i < n do
       let s = map (\c -> i64.sum (map2 (*) l[i, :i] c)) (transpose x[:i])
       let x[i] = map2 (\b t -> (b + t) % 1009) x[i] s
       in x

-- Columns are made from those before, of which a matrix keeps what was subtracted.
entry columns (n: i64) (m: i64) : ([m][m]i64, [n][m]i64) =
  loop (r, q) = (replicate m (replicate m 0), made n m) for j < m do
    let v = copy q[:, j]
    let products = map (\c -> i64.sum (map2 (*) v c) % 1013) (transpose q[:, j + 1:])
    let r[j, j + 1:] = products
    let q[:, j + 1:] = map2 (\row x -> map2 (\y p -> (y - x * p) % 1009) row products) q[:, j + 1:] v
    in (r, q)

-- A few columns of what is left are multiplied with a matrix of what is left.
entry panels (n: i64) (m: i64) : [n][m]i64 =
  loop a = made n m for u < n do
    let v = map (\row -> row[0] % 13) a[u:]
    let part = a[u:]
    let products = map (\x -> map (\c -> #[sequential] i64.sum (map2 (\y z -> x * y * z) v c)) (transpose part)) v
    let a[u:] = map2 (map2 (\x p -> (x - p) % 1009)) part products
    in a

-- Not sums, and nothing where there is nothing yet.
entry farthest (n: i64) (m: i64) : [n][m]i32 =
  let far = tabulate_2d n n (\i j -> i32.i64 ((i * 31 + j * 17) % 97))
  in loop d = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 5) % 23)) for i < n do
       let best = map (\c -> i32.maximum (map2 (+) far[i, :i] c)) (transpose d[:i])
       let d[i] = map2 (\b x -> if i == 0 then x else i32.max (b % 1000) x) best d[i]
       in d
