-- What each step finds on the device decides what the next works on, and is recorded.
-- ==
-- input { [[9, 4, 7, 8], [4, 9, 2, 6], [7, 2, 9, 5], [8, 6, 5, 9]] } output { [2, 4, 5] [2i64, 1i64, 3i64] [4, 1, 9] }
-- input { empty([0][0]i32) } output { empty([0]i32) empty([0]i64) empty([0]i32) }
-- input { [[3]] } output { empty([0]i32) empty([0]i64) empty([0]i32) }
def nearest [n] (d: [n][n]i32) : (i32, i64) =
  reduce_comm (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j))
              (i32.highest, i64.highest) (zip (flatten d) (iota (n * n)))

entry main [n] (d: [n][n]i32) =
  let steps = i64.max 0 (n - 1)
  let (_, heights, firsts, twice) =
    loop (d, hs, is, ts) = (d, replicate steps 0, replicate steps 0, replicate steps 0) for k < steps do
      let (h, at) = nearest d
      let i = at / n
      let j = at % n
      let row = map2 i32.min d[i] d[j]
      let d' = tabulate_2d n n (\a b ->
        if a == b || a == j || b == j then 9 else if a == i then row[b] else if b == i then row[a] else d[a, b])
      in (d', hs with [k] = h, is with [k] = j, ts with [k] = i32.i64 (j * j))
  in (heights, firsts, twice)

-- Sums of rows, which blocks and threads share.
-- ==
-- entry: bits
-- input { [5u32, 1u32, 4u32] } output { [2, 0, 2, 0] }
-- input { empty([0]u32) } output { [0, 0, 0, 0] }
entry bits [n] (masks: [n]u32) : [4]i32 =
  reduce_comm (map2 (+)) (replicate 4 0) (map (\m -> tabulate 4 (\k -> i32.u32 ((m >> u32.i64 k) & 1))) masks)

-- Narrow results of a thread each.
-- ==
-- entry: narrow
-- input { [10, 20, 30] } output { [[11, 12, 13, 14, 15], [21, 22, 23, 24, 25], [31, 32, 33, 34, 35]] }
entry narrow [n] (xs: [n]i32) : [n][5]i32 =
  map (\x -> tabulate 5 (\k -> x + 1 + i32.i64 k)) xs
