-- Histograms with other operators: maximum, pairs, and floats.
-- ==
-- entry: largest
-- input { [0, 0, 0] [0i64, 2i64, 0i64] [5, 7, -1] } output { [5, 0, 7] }

-- ==
-- entry: pairs
-- input { [0i64, 1i64, 0i64] [5, 7, 6] } output { [2, 1] [6, 7] [2i64, 1i64] }

-- ==
-- entry: floats
-- input { [0i64, 1i64, 0i64] [0.5f32, 1.5f32, 0.25f32] } output { [0.75f32, 1.5f32, 0.0f32] }

-- ==
-- entry: bits
-- input { [0i64, 2i64, 0i64, 2i64, 2i64] [1u32, 6u32, 8u32, 3u32, 2u32] }
-- output { [9u32, 0u32, 7u32] [-1i64, -1i64, 2i64] [9u32, 0u32, 7u32] }

entry largest (dest: *[]i32) (keys: []i64) (xs: []i32) : *[]i32 =
  reduce_by_index dest i32.max i32.lowest (keys :> [length keys]i64) (xs :> [length keys]i32)

-- Per key: how many values, and the largest with its position.
entry pairs [n] (keys: [n]i64) (xs: [n]i32) : ([2]i32, [2]i32, [2]i64) =
  let op (c: i32, x: i32, i: i64) (d, y, j) = if x > y || (x == y && i < j) then (c + d, x, i) else (c + d, y, j)
  in unzip3 (hist op (0, i32.lowest, n) 2 keys (map2 (\x i -> (1, x, i)) xs (iota n)))

entry floats [n] (keys: [n]i64) (xs: [n]f32) : [3]f32 = hist (+) 0 3 keys xs

-- What memory does by itself besides adding; -1 has all bits.
entry bits [n] (keys: [n]i64) (xs: [n]u32) : ([3]u32, [3]i64, [3]u32) =
  (hist (|) 0 3 keys xs, hist (&) (-1) 3 keys (map (\x -> if x == 1 || x == 8 then -1 else i64.u32 (x | 2) & (if x == 6 then 2 else 3)) xs),
   hist (^) 0 3 keys xs)
