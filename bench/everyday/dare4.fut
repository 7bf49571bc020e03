-- Discrete Riccati equations for a batch of 4-state systems with one input: value iteration to tolerance, LQR gain, closed-loop cost.
def mv (a: [4][4]f32) (x: [4]f32) : [4]f32 = map (\r -> f32.sum (map2 (*) r x)) a
def mm (a: [4][4]f32) (b: [4][4]f32) : [4][4]f32 = transpose (map (mv a) (transpose b))

entry main [n] (maxit: i32) (as: [n][4][4]f32) (bs: [n][4]f32) : ([n][4]f32, [n]f32, [n]f32) =
  let solve (ar: [4][4]f32) (br: [4]f32) =
    let a = tabulate_2d 4 4 (\i j -> (if i == j then 0.9 else 0) + 0.2 * (ar[i, j] - 0.5))
    let b = map (\x -> 0.1 + x) br
    let gain p =
      let pb = mv p b
      let den = 1 + f32.sum (map2 (*) b pb)
      in map (/ den) (mv (transpose a) pb)
    let step (p: [4][4]f32) =
      let k = gain p
      let pb = mv p b
      let den = 1 + f32.sum (map2 (*) b pb)
      let apa = mm (transpose a) (mm p a)
      in tabulate_2d 4 4 (\i j -> 0.5 * (apa[i, j] + apa[j, i]) - den * k[i] * k[j] + (if i == j then 1 else 0))
    let eye = tabulate_2d 4 4 (\i j -> f32.bool (i == j))
    let p = loop p = eye for _t < maxit do step p
    let k = gain p
    let cost =
      (loop (x, c) = ([1, 0, -1, 0.5], 0) for _t < 20 do
         let u = -f32.sum (map2 (*) k x)
         in (map2 (\y bi -> y + bi * u) (mv a x) b, c + u * u + f32.sum (map (** 2) x))).1
    in (k, cost, f32.sum (map (\i -> p[i, i]) (iota 4)))
  in unzip3 (map2 solve as bs)
