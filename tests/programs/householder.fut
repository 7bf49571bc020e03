-- Columns of a matrix are reflected one after the other: what the host would compute of each, a sum, an element and a branch, is put into an array
-- as an element, into another as a row of one, and needed by maps; then elements of what the loop made are read in another loop.
--
-- ==
-- entry: reflect
-- input { [[4.0, 1.0, 2.0], [3.0, 5.0, 1.0], [0.0, 2.0, 6.0]] } auto output
-- input { [[2.0]] } auto output
-- input { [[0.0, 0.0], [0.0, 0.0]] } auto output
-- input { empty([0][0]f64) } auto output

def house [n] (xs: [n]f64) : (f64, f64) =
  let dot = f64.sum (map (\x -> x * x) xs)
  let head = xs[0] - f64.sqrt dot
  let rest = dot - xs[0] * xs[0] + head * head
  in (head, if rest != 0 then 2 / rest else 0)

def reflected [n] (a: [n][n]f64) : ([n]f64, [n][n]f64, [n][n]f64) =
  loop (bs, vs, a) = (replicate n 0, replicate n (replicate n 0), copy a)
  for j < n do
    let (head, b) = house a[j:, j]
    let vs[j + 1:, j] = copy a[j + 1:, j]
    let vs[j:j + 1, j] = [head]
    let bs[j] = b
    let v = copy vs[:, j]
    let products = map (\column -> b * f64.sum (map2 (*) v column)) (transpose a)
    in (bs, vs, map2 (\x row -> map2 (\p y -> y - x * p) products row) v a)

entry reflect [n] (a: [n][n]f64) : ([n]f64, [n][n]f64, [n][n]f64) =
  reflected a

-- ==
-- entry: reflect_many
-- input { 40i64 } auto output
-- input { 7i64 } auto output

entry reflect_many (n: i64) : (f64, f64) =
  let a = tabulate_2d n n (\i j -> f64.i64 ((i * 7 + j * 3) % 11) + (if i == j then 5 else 0))
  let (bs, vs, r) = reflected a
  let q =
    loop q = tabulate_2d n n (\i j -> f64.bool (i == j))
    for k < n do
      let j = n - 1 - k
      let products = map (\column -> bs[j] * f64.sum (map2 (*) vs[:, j] column)) (transpose q)
      in map2 (\x row -> map2 (\p y -> y - x * p) products row) vs[:, j] q
  let wrong = map2 (\row xs -> map2 (\column x -> f64.abs (x - f64.sum (map2 (*) row column))) (transpose r) xs) q a
  in (f64.maximum (flatten wrong) |> (\e -> f64.bool (e < 1e-9)), f64.sum bs)
