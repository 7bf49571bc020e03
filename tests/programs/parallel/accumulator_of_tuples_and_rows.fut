-- Updates of several arrays, or of a row, at once: no atomic operation does that.
-- ==
-- entry: tuples
-- input { [0, 1, 2, 3] [1f32, 1f32, 1f32, 1f32] [0i64, 3i64, 3i64, 9i64, -1i64] }
-- output { [1, 1, 2, 11] [1f32, 1f32, 1f32, 16f32] }
-- compiled random input { [100]i32 [100]f32 [1]i64 } auto output

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] [0i64, 2i64, 2i64, 3i64] } output { [[1, 2], [3, 4], [8, 12]] }

-- ==
-- entry: turned
-- input { [[1, 2], [3, 4], [5, 6]] [0i64, 2i64, 2i64] } output { [[-2, 1], [3, 4], [-5, -6]] }

-- ==
-- entry: nested
-- input { [[0i64, 1i64], [1i64, 1i64]] } output { [1, 6] [0i64, 3i64] }

type~ acc 't = intrinsics.acc t

def accumulate [k] 'a 'b (dest: *[k]a) (op: a -> a -> a) (ne: a) (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: []b) : *[k]a =
  intrinsics.hist_stream dest op ne f bs :> *[k]a

def write [n] 't (a: *acc ([n]t)) (i: i64) (v: t) : *acc ([n]t) = intrinsics.acc_write a i v

entry tuples [n] (xs: *[n]i32) (ys: *[n]f32) (is: []i64) =
  let op (a, b) (c, d) = (a + c, b * d)
  in accumulate (zip xs ys) op (0, 1) (\(a: *acc ([n](i32, f32))) (i, v) -> write a i (v, f32.i32 v)) (zip is (map (\i -> i32.i64 (i + 1)) is))
     |> unzip

entry rows [n] [m] (xss: *[n][m]i32) (is: []i64) : [n][m]i32 =
  let update (a: *acc ([n][m]i32)) (j, i) = write a i (map (\k -> i32.i64 (j * (k + 1))) (iota m))
  in accumulate xss (map2 (+)) (replicate m 0) update (zip (indices is) is)

-- Rows are complex numbers; the operator is their product, and the updates are by the imaginary unit.
entry turned [n] (xs: *[n][2]i32) (is: []i64) : [n][2]i32 =
  accumulate xs (\x y -> tabulate 2 (\k -> x[0] * y[k] + (if k == 0 then -x[1] else x[1]) * y[1 - k])) [1, 0]
             (\(a: *acc ([n][2]i32)) i -> write a i [0, 1]) is

entry nested [n] (iss: [n][2]i64) =
  let op (a, b) (c, d) = (a + c, b + d)
  let update (a: *acc ([2](i32, i64))) (is: [2]i64) = loop a for i in is do write a i (i32.i64 i + 1, i)
  in accumulate (replicate 2 (0, 0)) op (0, 0) update iss |> unzip
