-- Mean and variance of each column and of everything, by merging.
type acc = (f32, f32, f32)
def merge ((n1,m1,s1): acc) ((n2,m2,s2): acc) : acc =
  let n = n1 + n2
  in if n == 0 then (0,0,0) else let d = m2 - m1 in (n, m1 + d*n2/n, s1 + s2 + d*d*n1*n2/n)
def main [h][w] (xs: [h][w]f32) : ([w]f32, [w]f32, f32) =
  let cols = map (\c -> reduce merge (0,0,0) (map (\x -> (1, x, 0)) c)) (transpose xs)
  let (n, _, s) = reduce merge (0,0,0) cols
  in (map (.1) cols, map (\(n,_,s) -> s / n) cols, s / n)
