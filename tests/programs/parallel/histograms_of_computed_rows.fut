-- Histograms of arrays that points compute, element by element and otherwise.
-- ==
-- entry: scaled
-- compiled random input { [500]i64 [500]i64 [500]f32 [20][7]f32 } auto output
-- compiled random input { [1]i64 [1]i64 [1]f32 [3][33]f32 } auto output
-- compiled random input { [40]i64 [40]i64 [40]f32 [5][0]f32 } auto output

-- ==
-- entry: counted
-- compiled random input { [501]i64 [501]i32 [31][9]i32 } auto output
-- compiled random input { [3]i64 [3]i32 [70][2]i32 } auto output

-- ==
-- entry: outer
-- compiled random input { 12i64 [77]i64 [77][3]i64 [77][5]i64 [1][1]bool } auto output
-- compiled random input { 3i64 [0]i64 [0][2]i64 [0][2]i64 [1][1]bool } auto output

-- ==
-- entry: looped
-- compiled random input { 9i64 [65]i64 [65][11]i64 } auto output
-- compiled random input { 200i64 [5]i64 [5][1]i64 } auto output

-- ==
-- entry: scanned
-- compiled random input { 9i64 [65]i64 [65][11]i64 } auto output

-- ==
-- entry: cubes
-- compiled random input { 10i64 [300]i64 [300]f32 } auto output

-- ==
-- entry: composed
-- compiled random input { 10i64 [120]i64 [120][6]f32 [6]f32 } auto output

-- ==
-- entry: tuples
-- compiled random input { 10i64 [120]i64 [120][6]i32 } auto output
-- compiled random input { 1000i64 [12]i64 [12][3]i32 } auto output

-- ==
-- entry: chosen
-- compiled random input { 10i64 [300]i64 [300]i32 } auto output

-- ==
-- entry: failing_in_branches
-- input { [[1],[1]] [2] } error: Index \[2\] out of bounds
-- input { empty([2][0]i32) [2] } error: Index \[2\] out of bounds
-- input { [[4,5],[7,8]] [1,9,0] } output { [[15,18]] }

-- ==
-- entry: failing
-- input { [0i64,2i64,1i64] [1i64,1i64,5i64] [[1,2],[3,4],[5,6]] } output { [[0,0],[8,10],[0,0]] }
-- input { [0i64,3i64,1i64] [1i64,1i64,5i64] [[1,2],[3,4],[5,6]] } error: Index \[3\] out of bounds
-- input { [0i64,-1i64,1i64] [1i64,1i64,5i64] [[1,2],[3,4],[5,6]] } error: Index \[-1\] out of bounds
-- input { [0i64,2i64,1i64] [1i64,1i64,5i64] empty([3][0]i32) } output { empty([3][0]i32) }
-- input { [0i64,3i64,1i64] [1i64,1i64,5i64] empty([3][0]i32) } error: Index \[3\] out of bounds

def unzip2d [n][m] (xs: [n][m](i32, i64)) = (map (map (.0)) xs, map (map (.1)) xs)
def bin (n: i64) (b: i64) = (b % (n + 2)) - 1

entry scaled [n][e][d] (src: [e]i64) (dst: [e]i64) (w: [e]f32) (x: [n][d]f32) : [n][d]f32 =
  let rows = map2 (\s a -> map (* a) x[(s % n + n) % n]) src w
  in reduce_by_index (replicate n (replicate d 0)) (map2 (+)) (replicate d 0) (map (bin n) dst) rows

entry counted [n][e][d] (dst: [e]i64) (w: [e]i32) (x: [n][d]i32) : ([n][d]i32, [n]i64) =
  let bins = map (bin n) dst
  let rows = map2 (\i a -> map (\y -> y * a + 1) x[i % n]) (iota e) w
  in (reduce_by_index (copy x) (map2 i32.max) (replicate d i32.lowest) bins rows,
      hist (+) 0 n bins (replicate e 1))

entry outer [n][e][a][b] (k: i64) (dst: [e]i64) (x: [e][a]i64) (y: [e][b]i64) (z: [n][n]bool) : [k][a][b]i64 =
  hist (map2 (map2 (+))) (replicate a (replicate b 0)) k (map (\d -> bin k d + i64.bool z[0, 0]) dst)
       (map2 (\p q -> map (\u -> map (\v -> u * v) q) p) x y)

entry looped [e][d] (k: i64) (dst: [e]i64) (x: [e][d]i64) : [k][d]i64 =
  let rows = map (\r -> map (\v -> loop s = v for i < 5 do s * 3 + r[i % d]) r) x
  in hist (map2 (+)) (replicate d 0) k (map (bin k) dst) rows

entry scanned [e][d] (k: i64) (dst: [e]i64) (x: [e][d]i64) : [k][d]i64 =
  hist (map2 (+)) (replicate d 0) k (map (bin k) dst) (map (scan (+) 0) x)

entry cubes [e] (k: i64) (dst: [e]i64) (x: [e]f32) : [k][3]f32 =
  hist (map2 (+)) (replicate 3 0) k (map (bin k) dst) (map (\v -> [v, v * v, v * v * v]) x)

entry composed [e][d] (k: i64) (dst: [e]i64) (x: [e][d]f32) (y: [d]f32) : ([k][d]f32, [k]f32) =
  let rows = map (\r -> map2 (\u v -> u - v) r y |> map (\t -> t * t)) x
  in (hist (map2 (+)) (replicate d 0) k (map (bin k) dst) rows, hist f32.max f32.lowest k (map (bin k) dst) (map f32.sum rows))

entry failing [n][e][d] (src: [e]i64) (dst: [e]i64) (x: [n][d]i32) : [n][d]i32 =
  reduce_by_index (replicate n (replicate d 0)) (map2 (+)) (replicate d 0) dst (map (\s -> map (+ 1) x[s]) src)

entry tuples [e][d] (k: i64) (dst: [e]i64) (x: [e][d]i32) : ([k][d]i32, [k][d]i64) =
  let add (a, b) (c, d) = if a >= c then (a, b) else (c, d)
  in unzip2d <| hist (map2 add) (replicate d (i32.lowest, -1i64)) k (map (bin k) dst) (map2 (\i r -> map (\v -> (v ^ 5, i)) r) (iota e) x)

-- Scalars that branches make are no rows.
entry chosen [e] (k: i64) (dst: [e]i64) (x: [e]i32) : [k]i32 =
  hist (+) 0 k (map (bin k) dst) (map (\v -> if v % 3 == 0 then loop s = v for _i < 3 do s * 5 + 1 else v / 7) x)

-- What may fail in a branch must for rows without elements, too.
entry failing_in_branches [m][d][n] (x: [m][d]i32) (s: [n]i32) : [1][d]i32 =
  hist (map2 (+)) (replicate d 0) 1 (replicate n 0) (map (\t -> if t > 3 then x[0] else x[t]) s)
