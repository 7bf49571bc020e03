-- Haar wavelet of rows, all levels.
entry main [n][m] (levels: i64) (x: [n][m]f32) : [n][m]f32 =
  (loop (x, len) = (x, m) for _l < levels do
     let half = len/2
     in (map (\r -> tabulate m (\i -> if i < half then (r[2*i]+r[2*i+1])*0.70710678 else if i < 2*half then (r[2*(i-half)] - r[2*(i-half)+1])*0.70710678 else r[i])) x, half)).0
