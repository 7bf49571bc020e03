entry main [n][m] (a: [n][m]f32) : [n][m]f32 =
  loop a for k < m do
    let c = map (\r -> r[k]) a
    let l = f32.sqrt (f32.sum (map (\v -> v*v) c)) + 1e-9
    let q = map (/l) c
    let dots = map (\col -> f32.sum (map2 (*) col q)) (transpose a)
    in tabulate_2d n m (\i j -> if j == k then q[i] else if j > k then a[i,j] - dots[j]*q[i] else a[i,j])
