-- Triangles of a dense graph by the trace of a product.
entry main [n] (g: [n][n]u8) : i64 =
  let a = tabulate_2d n n (\i j -> if i != j && (g[i64.min i j, i64.max i j] > 200) then 1i32 else 0)
  let a2 = map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose a)) a
  in i64.sum (map2 (\r s -> i64.i32 (i32.sum (map2 (*) r s))) a2 a) / 6
