-- Totalistic cellular automaton of four states on a hexagonal grid (odd rows shifted, dead outside), rule from a random table of 4x19 entries.
entry main [h][w][r] (steps: i32) (rule: [r]u8) (seed: [h][w]u8) : ([h][w]u8, [4]i64) =
  let table = tabulate 76 (\i -> if i == 0 then 0 else rule[i % r] & 3)
  let step (g: [h][w]u8) : [h][w]u8 =
    let cell y x = if y < 0 || y >= h || x < 0 || x >= w then 0 else i64.u8 g[y,x]
    in tabulate_2d h w (\y x ->
         let o = if y % 2 == 1 then 1 else 0
         let sum = cell y (x-1) + cell y (x+1)
                   + cell (y-1) (x-1+o) + cell (y-1) (x+o)
                   + cell (y+1) (x-1+o) + cell (y+1) (x+o)
         in table[i64.u8 g[y,x] * 19 + sum])
  let final = iterate steps step (map (map (& 3)) seed)
  let census = map (\s -> i64.sum (map (\c -> i64.bool (c == s)) (flatten final))) [0, 1, 2, 3]
  in (final, census)
