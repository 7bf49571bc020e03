
-- ==
-- entry: i32_1
-- input { [1,2,3] } output { [1,2,3] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: f16_2
-- input { [[1.5f16,2f16],[f16.nan, f16.inf]] } output { [[1.5f16,2f16],[f16.nan, f16.inf]] }

-- ==
-- entry: u64_3
-- random input { [3][4][5]u64 } auto output

-- ==
-- entry: bool_2
-- random input { [0][4]bool } auto output

-- ==
-- entry: consume
-- input { [1,2,3] } output { [2,2,3] }

-- ==
-- entry: transpose
-- input { [[1,2,3]] } output { [[1],[2],[3]] }
-- random input { [31][17]i32 } auto output

-- ==
-- entry: index
-- input { [1,2,3] 1i64 } output { 2 }
-- input { [1,2,3] 7i64 } error: out of bounds

-- ==
-- entry: same_size
-- input { [1f32] [1f32,2f32] } error: invalid sizes

-- ==
-- entry: main
-- input { [1] 2f32 } output { 2f32 [1] }

-- ==
-- entry: sum_pair
-- script input { make_pair 5i32 } output { 35i64 }
entry i32_1 (x: []i32) = x
entry f16_2 (x: [][]f16) = x
entry u64_3 (x: [][][]u64) = x
entry bool_2 (x: [][]bool) = x
entry consume [n] (x: *[n]i32) : *[n]i32 = let v = x[0]+1 in x with [0] = v
entry transpose (x: [][]i32) = transpose x
entry index (x: []i32) (i: i64) = x[i]
entry same_size [n] (a: [n]f32) (b: [n]f32) = b
entry main (a: []i32) (b: f32) = (b, a)
type~ pair = {count: i32, items: []i64}
entry make_pair (n: i32): pair = {count = n, items = map (\x -> x*x) (iota (i64.i32 n))}
entry sum_pair (p: pair) = i64.i32 p.count + i64.sum p.items
