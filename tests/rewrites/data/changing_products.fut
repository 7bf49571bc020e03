-- Products of matrices in loops, of sizes that change from one round to the next, and of the same. changing_products.fut_gpu is what
-- `futhark dev -s --extract-kernels -e` makes of it.
def matmul [n][m][k] (a: [n][m]i32) (b: [m][k]i32) : [n][k]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

entry changing [n] (a: [n][n]i32) : i32 =
  loop s = 0 for i < n do
    let b = matmul a[:i + 1, i:] a[i:, :i + 1]
    in s ^ b[i, 0]

entry steady [n] (a: [n][n]i32) : [n][n]i32 = loop b = a for _i < 5i32 do matmul b a
