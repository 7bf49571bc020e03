-- Convolutions and their relatives as a user would write them, with data made on the device from the indices. The first is
-- the thesis'.

-- Between -0.5 and 0.5, by a hash of the index.
def noise (i: i64) : f32 =
  let h = u32.i64 i * 0x9E3779B1
  let h = (h ^ (h >> 15)) * 0x85EBCA77
  in f32.u32 ((h ^ (h >> 13)) & 1023) / 1024 - 0.5

entry data_1 (a: i64) : [a]f32 = tabulate a noise
entry data_2 (a: i64) (b: i64) : [a][b]f32 = unflatten (tabulate (a * b) noise)
entry data_3 (a: i64) (b: i64) (c: i64) : [a][b][c]f32 = unflatten_3d (tabulate (a * b * c) noise)
entry data_4 (a: i64) (b: i64) (c: i64) (d: i64) : [a][b][c][d]f32 = unflatten_4d (tabulate (a * b * c * d) noise)
entry data_5 (a: i64) (b: i64) (c: i64) (d: i64) (e: i64) : [a][b][c][d][e]f32 =
  unflatten (unflatten_4d (tabulate (a * b * c * d * e) noise))

def convolve [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) : [o][m - k + 1][n - k + 1]f32 =
  tabulate_3d o (m - k + 1) (n - k + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row ->
        reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y:y + k, x:x + k] :> [k][k]f32) filter[out])) inputs filters))

entry conv [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) = convolve inputs filters

entry batch [b] [l] [m] [n] [o] [k] (inputs: [b][l][m][n]f32) (filters: [l][o][k][k]f32) =
  map (\images -> convolve images filters) inputs

entry strided [l] [m] [n] [o] [k] (stride: i64) (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) =
  tabulate_3d o ((m - k) / stride + 1) ((n - k) / stride + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row ->
        reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y * stride:y * stride + k, x * stride:x * stride + k] :> [k][k]f32) filter[out])) inputs filters))

entry depthwise [l] [m] [n] [k] (inputs: [l][m][n]f32) (filters: [l][k][k]f32) : [l][m - k + 1][n - k + 1]f32 =
  map2 (\image filter ->
    tabulate_2d (m - k + 1) (n - k + 1) (\y x ->
      reduce (+) 0 (map2 (\window_row filter_row -> reduce (+) 0 (map2 (*) window_row filter_row))
                         (image[y:y + k, x:x + k] :> [k][k]f32) filter))) inputs filters

entry fir [n] [k] (signal: [n]f32) (taps: [k]f32) : [n - k + 1]f32 =
  tabulate (n - k + 1) (\i -> reduce (+) 0 (map2 (*) (signal[i:i + k] :> [k]f32) taps))

entry volume [l] [d] [m] [n] [o] [k] (inputs: [l][d][m][n]f32) (filters: [l][o][k][k][k]f32) =
  tabulate o (\out -> tabulate_3d (d - k + 1) (m - k + 1) (n - k + 1) (\z y x ->
    reduce (+) 0 (map2 (\input filter ->
      reduce (+) 0 (map2 (\slice filter_slice ->
        reduce (+) 0 (map2 (\row filter_row -> reduce (+) 0 (map2 (*) row filter_row)) slice filter_slice))
        (input[z:z + k, y:y + k, x:x + k] :> [k][k][k]f32) filter[out])) inputs filters)))

entry product [m] [n] [k] (a: [m][k]f32) (b: [k][n]f32) : [m][n]f32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a

entry matvec [m] [k] (a: [m][k]f32) (b: [k]f32) : [m]f32 = map (\row -> reduce (+) 0 (map2 (*) row b)) a

entry matvec_transposed [m] [k] (a: [k][m]f32) (b: [k]f32) : [m]f32 =
  map (\column -> reduce (+) 0 (map2 (*) column b)) (transpose a)

-- Of real and imaginary parts.
entry complex [m] [n] [k] (a: [2][m][k]f32) (b: [2][k][n]f32) : [2][m][n]f32 =
  let (re, im) =
    unzip (map unzip (map2 (\re im ->
      map2 (\re' im' ->
        reduce (\(x, y) (z, w) -> (x + z, y + w)) (0, 0)
               (map4 (\a b c d -> (a * c - b * d, a * d + b * c)) re im re' im'))
        (transpose b[0]) (transpose b[1])) a[0] a[1]))
  in [re, im]

-- Some of the results, to compare them.
def some [n] (xs: [n]f32) : [500]f32 = tabulate 500 (\i -> xs[(i * 105671561) % n])
entry sample_1 [a] (xs: [a]f32) = some xs
entry sample_2 [a] [b] (xs: [a][b]f32) = some (flatten xs)
entry sample_3 [a] [b] [c] (xs: [a][b][c]f32) = some (flatten_3d xs)
entry sample_4 [a] [b] [c] [d] (xs: [a][b][c][d]f32) = some (flatten_4d xs)
