-- Loops whose steps go on by sums: by products, quotients and roots of them, by branches that choose between numbers, and until one is small. On a GPU
-- the host waits for none of them but the last.
-- ==
-- entry: conjugate_gradients until_small power lanczos
-- input { [[4.0, 1.0, 0.0], [1.0, 5.0, 2.0], [0.0, 2.0, 6.0]] [1.0, 2.0, 3.0] } auto output
-- input { [[2.0]] [3.0] } auto output
-- input { [[3.0, 1.0, 0.5, 0.0, 0.1], [1.0, 4.0, 1.0, 0.5, 0.0], [0.5, 1.0, 5.0, 1.0, 0.5], [0.0, 0.5, 1.0, 6.0, 1.0], [0.1, 0.0, 0.5, 1.0, 7.0]]
--         [1.0, 0.0, 2.0, 0.0, 3.0] } auto output

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def times [n] (a: [n][n]f64) (x: [n]f64) : [n]f64 = map (dot x) a
def rounded (x: f64) : f64 = f64.round (x * 1e6) / 1e6

def step [n] (a: [n][n]f64) (x: [n]f64, r: [n]f64, p: [n]f64, rs: f64) : ([n]f64, [n]f64, [n]f64, f64) =
  let ap = times a p
  let alpha = rs / dot p ap
  let x = map2 (\x p -> x + alpha * p) x p
  let r = map2 (\r q -> r - alpha * q) r ap
  let rs' = dot r r
  in (x, r, map2 (\r p -> r + rs' / rs * p) r p, rs')

entry conjugate_gradients [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let (x, _, _, _) = loop s = (map (const 0) b, b, b, dot b b) for _i < i64.min n 2 do step a s
  in map rounded x

entry until_small [n] (a: [n][n]f64) (b: [n]f64) : ([n]f64, bool) =
  let ((x, _, _, _), k) =
    loop (s, k) = ((map (const 0) b, b, b, dot b b), 0) while s.3 > 1e-9 && k < 50 do (step a s, k + 1)
  in (map rounded x, k < 50i32)

entry power [n] (a: [n][n]f64) (b: [n]f64) : (f64, [n]f64) =
  let (x, l) =
    loop (x, _) = (b, 0) for _i < 20i32 do
      let y = times a x
      let norm = f64.sqrt (dot y y)
      in (map (/ norm) y, norm)
  in (rounded l, map rounded x)

entry lanczos [n] (a: [n][n]f64) (b: [n]f64) : ([2]f64, [2]f64) =
  let (als, bes, _, _, _) =
    loop (als, bes, q, last, beta) = (replicate 2 0, replicate 2 0, map (/ f64.sqrt (dot b b)) b, map (const 0) b, 0) for k < 2 do
      let z = times a q
      let alpha = dot q z
      let z = map3 (\z q l -> z - alpha * q - beta * l) z q last
      let beta' = f64.sqrt (dot z z)
      let als[k] = alpha
      let bes[k] = beta'
      in (als, bes, map (/ (beta' + 1e-300)) z, q, beta')
  in (map rounded als, map rounded bes)

-- The number that k elements exceed, found by halving; and a step that depends on how far it has come.
-- ==
-- entry: threshold damped
-- input { [5.0, 1.0, 4.0, 2.0, 3.0] 2i64 } auto output
-- input { [7.0] 0i64 } auto output
-- input { [0.5, 0.25, 8.0, -3.0, 0.125, 2.0, 2.0, -1.0] 5i64 } auto output

entry threshold [n] (xs: [n]f64) (k: i64) : f64 =
  let (lo, hi) =
    loop (lo, hi) = (f64.minimum xs, f64.maximum xs) for _i < 40i32 do
      let mid = (lo + hi) / 2
      let above = i64.sum (map (\x -> i64.bool (x > mid)) xs)
      in if above > k then (mid, hi) else (lo, mid)
  in rounded hi

entry damped [n] (xs: [n]f64) (k: i64) : (f64, f64) =
  let (at, by) =
    loop (at, by) = (0, 1) for _i < 30i32 do
      let slope = f64.sum (map (\x -> at - x) xs) / f64.i64 n
      let next = at - by * slope
      let far = f64.abs slope
      in if far > 2 then (next, by) else if far > 1 then (next, by * 0.75) else (at - slope * 0.5, f64.max 0.1 (by * f64.i64 k / 4))
  in (rounded at, rounded by)
