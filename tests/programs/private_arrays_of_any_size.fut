-- Arrays in threads whose sizes differ from thread to thread, or change in a loop.
-- ==
-- entry: filtered
-- input { [[3, 1, 4, 1], [5, 9, 2, 6], [1, 1, 1, 1]] 2 } output { [21, 122, 0] [2i64, 3i64, 0i64] }
-- input { empty([0][4]i32) 2 } output { empty([0]i32) empty([0]i64) }
-- input { empty([1][0]i32) 2 } output { [0] [0i64] }

-- ==
-- entry: growing
-- input { [0i64, 1i64, 2i64, 5i64, 300i64] [1, 2, 3] }
-- output { [14, 19, 28, 68, 91914] [3i64, 5i64, 7i64, 13i64, 603i64] }

-- ==
-- entry: shrinking
-- input { [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]] [2i64, 9i64] } output { [9, 0] }

-- ==
-- entry: chosen
-- input { [0i64, 1i64, 2i64, 7i64] } output { [2i64, 8i64, 3i64, 14i64] }

-- ==
-- entry: triangles
-- input { [0i64, 1i64, 2i64, 3i64, 40i64] } output { [0i64, 0i64, 6i64, 26i64, 83720i64] }

-- ==
-- entry: counted
-- input { [1i64, 1i64, 2i64, 5i64, 9i64, 60i64] 6i64 } output { [2i64, 6i64, 4i64, 0i64, 0i64, 0i64] }

-- ==
-- entry: checked
-- input { [3i64, 2i64] [3i64, 2i64] } output { [4i64, 3i64] }
-- input { [3i64, 2i64] [1i64, 2i64] } error: Index \[3\] out of bounds for array of shape \[2\]

-- What is left of the rows, with something done to it in memory.
entry filtered [n][m] (xss: [n][m]i32) (least: i32) : ([n]i32, [n]i64) =
  unzip (map (\xs ->
                let ys = filter (> least) xs
                let k = length ys
                let zs = #[opaque] map (\y -> y * y) ys
                let zs = if k > 0 then copy zs with [0] = 5 else zs
                in (reduce (+) 0 zs, k))
             xss)

entry growing [k] (ns: []i64) (start: [k]i32) =
  unzip (map (\n ->
                let xs = loop xs = start for i < n do [i32.i64 i] ++ xs ++ [i32.max (last xs) 4]
                in (reduce (+) 0 (map2 (\i x -> x * (1 + i32.i64 i % 3)) (indices xs) xs), length xs))
             ns)

def shorter [n] (xs: [n]i32) : []i32 = if n > 0 then reverse (tail xs) else xs

def shortened [n] (xs: [n]i32) (steps: i64) : []i32 = loop ys = xs for _i < steps do shorter ys

entry shrinking [n][m] (xss: [n][m]i32) (steps: [n]i64) =
  map2 (\xs k -> reduce (+) 0 (shortened xs k)) xss steps

entry chosen (ns: []i64) =
  map (\n -> let xs = if n % 2 == 0 then scan (+) 1 (iota (n + 1)) else map (+ n) (iota n) ++ replicate (n + 5) 2
             in xs[length xs / 2] + length xs - n)
      ns

-- Two dimensions, of which one changes, and a transposition of them.
entry triangles (ns: []i64) =
  map (\n ->
         let xss = loop xss = replicate n (replicate 0 0) for i < n do map (\r -> r ++ [length r + i]) xss
         let yss = transpose (map (scan (+) 0) xss)
         in i64.sum (map (\i -> if n > 1 then yss[n - 1, i] + yss[i, n / 2] else 0) (iota n)))
      ns

-- Bins that all threads add to: looking for the sizes must leave them alone.
entry counted (ns: []i64) (k: i64) =
  reduce_by_index (replicate k 0) (+) 0
                  (map (\n -> let divisors = filter (\d -> n % d == 0) (1...n) in length divisors - 1) ns)
                  (map (\n -> i64.min n 4) ns)

entry checked (ns: []i64) (is: []i64) =
  map2 (\n i -> let xs = loop xs = [n] for j < i do xs ++ map (+ j) xs in xs[n]) ns is
