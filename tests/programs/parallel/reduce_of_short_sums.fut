-- Reductions of what short loops compute, by operators of which the order of operands does not matter, or does.
-- ==
-- entry: nearest first_of_nearest
-- compiled random input { [7][3]u32 [2000][3]u32 } auto output
-- compiled random input { [300][3]u32 [9][3]u32 } auto output
-- compiled random input { [5][3]u32 [0][3]u32 } auto output
-- compiled random input { [0][3]u32 [4][3]u32 } auto output

-- ==
-- entry: read_twice
-- compiled random input { [7][3]u32 [200][3]u32 } auto output

def distance (a: [3]u32) (b: [3]u32) : i32 = i32.sum (map2 (\x y -> u32.popc (x ^ y)) a b)

entry nearest [n][m] (as: [n][3]u32) (bs: [m][3]u32) : ([n]i32, [n]i32) =
  unzip (map (\a ->
                reduce (\(d, i) (e, j) -> if d < e || (d == e && i < j) then (d, i) else (e, j)) (i32.highest, i32.highest)
                       (zip (map (distance a) bs) (map i32.i64 (iota m)))) as)

-- The first of several that are as near.
entry first_of_nearest [n][m] (as: [n][3]u32) (bs: [m][3]u32) : ([n]i32, [n]i32) =
  unzip (map (\a ->
                reduce (\(d, i) (e, j) -> if d <= e then (d, i) else (e, j)) (i32.highest, -1)
                       (zip (map (distance a) bs) (map i32.i64 (iota m)))) as)

-- What is reduced is yielded, too.
entry read_twice [n][m] (as: [n][3]u32) (bs: [m][3]u32) : ([n]i32, [n][m]i32) =
  unzip (map (\a -> let d = map (distance a) bs in (i32.minimum d, d)) as)
