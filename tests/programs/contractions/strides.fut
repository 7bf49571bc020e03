-- Windows that move by a stride that the program is given. Kernel extraction takes the check of the rows out of the kernel.

-- ==
-- entry: strided
-- compiled input { 2i64 empty([0][5][5]f32) empty([0][0][3][3]f32) } output { empty([0][2][2]f32) }
-- compiled input { 0i64 [[[1f32]]] [[[[1f32]]]] } error: division by zero
-- compiled input { -1i64 [[[1f32,2f32],[3f32,4f32]]] [[[[1f32]]]] } output { empty([1][0][0]f32) }
-- compiled input { 2i64 [[[1f32,2f32,3f32],[4f32,5f32,6f32],[7f32,8f32,9f32]]] [[[[10f32]]]] }
-- output { [[[10f32,30f32],[70f32,90f32]]] }

-- ==
-- entry: strided_by_two
-- compiled random input { [1][3][3]f32 [1][1][3][3]f32 } auto output
-- compiled random input { [5][19][23]f32 [5][3][3][3]f32 } auto output
-- compiled random input { [4][40][37]f32 [4][9][2][2]f32 } auto output

-- ==
-- entry: strided_by_five
-- compiled random input { [3][31][64]f32 [3][2][3][3]f32 } auto output

-- ==
-- entry: strided_and_dilated_slices
-- compiled input { [1i32,2i32,3i32,4i32,5i32,6i32,7i32] [[1i32,1i32],[0i32,2i32]] 3i64 2i64 } output { [[4i32,10i32],[6i32,12i32]] }
-- compiled input { [1i32,2i32,3i32] [[1i32,1i32]] 0i64 2i64 } output { [[4i32]] }
-- compiled input { [1i32,2i32,3i32] [[1i32,1i32]] 1i64 -1i64 }
-- error: cannot match shape
-- compiled input { [1i32,2i32,3i32] [[1i32,1i32]] 1i64 0i64 }
-- error: out of bounds

def windows [l] [m] [n] [o] [k] (stride: i64) (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) =
  tabulate_3d o ((m - k) / stride + 1) ((n - k) / stride + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row -> reduce (+) 0 (map2 (*) window_row filter_row))
                         (image[y * stride:y * stride + k, x * stride:x * stride + k] :> [k][k]f32) filter[out]))
      inputs filters))

entry strided [l] [m] [n] [o] [k] (stride: i64) (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) =
  windows stride inputs filters
entry strided_by_two [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) = windows 2 inputs filters
entry strided_by_five [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) = windows 5 inputs filters

entry strided_and_dilated_slices [n] [k] [m] (x: [n]i32) (f: [m][k]i32) (s: i64) (d: i64) =
  tabulate_2d m ((n - (k - 1) * d - 1) / i64.max 1 s + 1) (\c i ->
    let w = x[s * i:s * i + (k - 1) * d + 1:d] :> [k]i32
    in loop acc = 0 for j < k do acc + w[j] * f[c, j])
