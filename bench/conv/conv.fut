-- The convolution of the thesis, as a user would write it, with its data made on the device from the indices.

def noise (i: i64) : f32 = f32.i64 (i % 1000) / 1000 - 0.5

entry image (channels: i64) (height: i64) (width: i64) : [channels][height][width]f32 =
  tabulate_3d channels height width (\n y x -> noise (n * 7919 + y * 104729 + x * 1299709 + (x * y) % 977))

entry filters (channels: i64) (depth: i64) (k: i64) : [channels][depth][k][k]f32 =
  tabulate channels (\n -> tabulate_3d depth k k (\z i j -> noise (n * 31 + z * 7919 + i * 104729 + j * 1299709)))

entry conv [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) : [o][m - k + 1][n - k + 1]f32 =
  tabulate_3d o (m - k + 1) (n - k + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row ->
        reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y:y + k, x:x + k] :> [k][k]f32) filter[out])) inputs filters))

-- Some of the results, to compare them.
entry sample [a] [b] [c] (xs: [a][b][c]f32) : [500]f32 =
  tabulate 500 (\i -> xs[(i * 7919) % a, (i * 104729) % b, (i * 1299709) % c])
