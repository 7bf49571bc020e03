-- Cheapest order of a chain of products, by lengths.
entry main [n] (dims: [n]u8) : i64 =
  let d = map (\v -> i64.u8 v + 1) dims
  let k = n - 1
  let best = loop best = replicate k (replicate k 0i64) for l in 2..<k+1 do
    let row = tabulate (k-l+1) (\i -> let j = i+l-1 in i64.minimum (map (\s -> best[i,i+s] + best[i+s+1,j] + d[i]*d[i+s+1]*d[j+1]) (iota (l-1))))
    in tabulate_2d k k (\i j -> if j == i+l-1 && i < k-l+1 then row[i] else best[i,j])
  in best[0,k-1]
