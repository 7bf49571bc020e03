entry main [n] (a: [n][n]f32) (b: [n]f32) : [n]f32 =
  let ab = map2 (\r (i,v) -> map2 (\x j -> if j == i then x + f32.i64 n else x) r (iota n) ++ [v] :> [n+1]f32) a (zip (iota n) b)
  let ab = loop ab for k < n do
    let p = ab[k]
    in map2 (\i r -> if i == k then map (/p[k]) r else let f = r[k]/p[k] in map2 (\x y -> x - f*y) r p) (iota n) ab
  in map (\r -> r[n]) ab
