entry main [n] (a: [n][n]f32) : [n][n]f32 =
  let a = tabulate_2d n n (\i j -> (a[i,j]+a[j,i])/2 + (if i == j then f32.i64 n else 0))
  let l = loop a for k < n do
    let p = f32.sqrt a[k,k]
    let col = map (\i -> if i < k then 0 else if i == k then p else a[i,k]/p) (iota n)
    in tabulate_2d n n (\i j -> if j == k then col[i] else if i > k && j > k then a[i,j] - col[i]*col[j] else a[i,j])
  in tabulate_2d n n (\i j -> if j <= i then l[i,j] else 0)
