entry main [n][c][h][w] (eps: f32) (x: [n][c][h][w]f32) : [n][c][h][w]f32 =
  let per = map (\k -> let xs = flatten_3d (map (\i -> x[i,k]) (iota n))
                       let mu = f32.sum xs / f32.i64 (n*h*w)
                       let var = f32.sum (map (\v -> (v-mu)*(v-mu)) xs) / f32.i64 (n*h*w)
                       in (mu, 1/f32.sqrt (var+eps))) (iota c)
  in map (map2 (\(mu,s) -> map (map (\v -> (v-mu)*s))) per) x
