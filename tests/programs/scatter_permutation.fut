-- Scatter with distinct positions; those out of range write nothing.
-- ==
-- entry: vector
-- input { [0, 0, 0, 0] [3i64, 0i64, 1i64] [10, 20, 30] } output { [20, 30, 0, 10] }
-- input { [0, 0, 0, 0] [-1i64, 4i64, 2i64] [10, 20, 30] } output { [0, 0, 30, 0] }
-- input { [1, 2] empty([0]i64) empty([0]i32) } output { [1, 2] }
-- input { empty([0]i32) [0i64, -1i64] [1, 2] } output { empty([0]i32) }

-- ==
-- entry: computed
-- input { 7i64 } output { [0i64, 25i64, 9i64, 1i64, 36i64, 16i64, 4i64] }
-- input { 257i64 } auto output

-- ==
-- entry: rows
-- input { [[0, 0], [0, 0], [0, 0]] [2i64, 0i64] [[1, 2], [3, 4]] } output { [[3, 4], [0, 0], [1, 2]] }

-- ==
-- entry: matrix
-- input { [[0, 0, 0], [0, 0, 0]] [1i64, 0i64, 2i64] [2i64, 0i64, 5i64] [7, 8, 9] } output { [[8, 0, 0], [0, 0, 7]] }

entry vector (dest: *[]i32) (is: []i64) (vs: []i32) : *[]i32 = scatter dest is vs

-- Multiplying by 3 is a permutation of n elements when n is not divisible by 3.
entry computed (n: i64) : [n]i64 = scatter (replicate n (-1)) (tabulate n (\i -> i * 3 % n)) (tabulate n (\i -> i * i))

entry rows (dest: *[][2]i32) (is: []i64) (vs: [][2]i32) : *[][2]i32 = scatter dest is vs

entry matrix (dest: *[][]i32) (is: []i64) (js: []i64) (vs: []i32) : *[][]i32 = scatter_2d dest (zip is js) vs
