-- Fitch parsimony on a balanced tree: state sets of all sites merged pairwise level by level, changes counted per site.
def main [s][n] (leaves: [s][n]u8) : ([n]u8, [n]i32, i64) =
  let sets = map (map (\b -> 1u8 << (b % 4))) leaves
  let (sets, cost) =
    loop (sets, cost) = (sets, replicate n 0i32) while length sets > 1 do
      let m = length sets
      let half = (m + 1) / 2
      let joined = tabulate_2d half n (\i j ->
        if 2 * i + 1 >= m then (sets[2 * i, j], 0)
        else let (a, b) = (sets[2 * i, j], sets[2 * i + 1, j])
             in if a & b != 0 then (a & b, 0) else (a | b, 1i32))
      let (next, miss) = unzip (map unzip joined)
      in (next, map2 (+) cost (map i32.sum (transpose miss)))
  let root = if length sets > 0 then copy sets[0] else replicate n 0
  in (root, cost, i64.sum (map i64.i32 cost))
