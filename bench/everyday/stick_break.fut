-- Stick-breaking weights of Dirichlet processes: w_k = v_k * prod_{j<k} (1 - v_j) per row, their entropy and the mixture's moments.
entry main [n][k] (frac: f32) (v: [n][k]f32) (atoms: [k]f32) : ([n][k]f32, [n]f32, [n]f32, [n]f32) =
  let stick (row: [k]f32) =
    let b = map (* frac) row
    let rest = scan (*) 1 (map (1 -) b)
    let w = map2 (\r x -> r * x / (1 - x)) rest b
    let left = if k == 0 then 1 else rest[k-1]
    let ent = f32.sum (map (\x -> if x > 1e-20 then -x * f32.log x else 0) w)
    let mean = f32.sum (map2 (*) w atoms)
    let var = f32.sum (map2 (\x a -> x * (a - mean) ** 2) w atoms)
    in (w, left, ent, var)
  in unzip4 (map stick v)
