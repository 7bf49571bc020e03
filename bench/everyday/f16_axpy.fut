entry main [n][m] (a: [n][m]f16) (x: [m]f16) : [n]f16 = map (\r -> f16.sum (map2 (*) r x)) a
