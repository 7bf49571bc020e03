-- A convolution for which the host has nine versions.
def convolve [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) : [o][m - k + 1][n - k + 1]f32 =
  tabulate_3d o (m - k + 1) (n - k + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row ->
        reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y:y + k, x:x + k] :> [k][k]f32) filter[out])) inputs filters))

entry main [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) = convolve inputs filters
