-- Scalars that loops hand on, computed from sums and from what branches and inner loops of the host yield besides.
-- ==
-- entry: branches
-- input { [1i64, 2i64, 3i64] 0i64 } output { 1i64 [1i64, 2i64, 3i64] }
-- input { [1i64, 2i64, 3i64] 3i64 } output { 675i64 [4i64, 6i64, 8i64] }

-- ==
-- entry: loops
-- input { [1i64, 2i64, 3i64] 0i64 } output { 1i64 [1i64, 2i64, 3i64] }
-- input { [1i64, 2i64, 3i64] 3i64 } output { 526i64 [4i64, 11i64, 25i64] }

entry branches (xs: []i64) (n: i64) =
  loop (acc, ys) = (1i64, xs) for i < n do
    let s = i64.sum (map (* acc) ys)
    let (k, zs) = if i % 2 == 0 then (3, map (+ i) ys) else (i * 2, map (* 2) ys)
    in (s + k, zs)

entry loops (xs: []i64) (n: i64) =
  loop (acc, ys) = (1i64, xs) for i < n do
    let s = i64.sum (map (* acc) ys)
    let (k, zs) = loop (k, zs) = (i, ys) for j < i do (k * 3 + j, map (+ 1) (scan (+) 0 zs))
    in (s + k, zs)
