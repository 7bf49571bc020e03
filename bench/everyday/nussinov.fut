-- Nussinov's folding of many short RNA sequences: a table by diagonals, every cell the best of its splits.
def pairs (a: u8) (b: u8) : i32 =
  match (a, b)
  case (0, 3) -> 2
  case (3, 0) -> 2
  case (1, 2) -> 3
  case (2, 1) -> 3
  case (2, 3) -> 1
  case (3, 2) -> 1
  case _ -> 0

def fold [n] (loop_min: i64) (s: [n]u8) : [n]i32 =
  -- best[d][i] is the best score of positions i to i+d
  let best0 = replicate n (replicate n 0i32)
  let best =
    loop best = best0 for d in 1..<n do
      let cell i =
        if i + d >= n then 0
        else let inner = if d >= 2 then best[d - 2, i + 1] else 0
             let paired = if d > loop_min then inner + pairs s[i] s[i + d] else 0
             let split = reduce i32.max 0 (map (\k -> best[k, i] + best[d - 1 - k, i + k + 1]) (iota d))
             in i32.max paired split
      in best with [d] = map cell (iota n)
  in map (\d -> i32.maximum best[d]) (iota n)

entry main [b] [n] (loop_min: i64) (seqs: [b][n]u8) : ([b]i32, [n]i32) =
  let curves = map (\s -> fold loop_min (map (& 3) s)) seqs
  in (map (\c -> c[n - 1]) curves, map i32.sum (transpose curves))
