-- Levels from vertex 0 on a graph of fixed degree, frontier by frontier.
def main [n] (nbs: [n][8]i32) : ([n]i32, i32) =
  let nb = map (map (\v -> i64.i32 v % n)) nbs
  let level = replicate n (-1i32) with [0] = 0
  let (level, _, k) = loop (level, front, k) = (level, [0i64], 0i32) while length front > 0 do
    let next = flatten (map (\v -> nb[v]) front)
    let fresh = filter (\v -> level[v] < 0) next
    let level = scatter level fresh (map (\_ -> k + 1) fresh)
    let owner = scatter (replicate n (-1i64)) fresh (indices fresh)
    let front = map (.0) (filter (\(v, i) -> owner[v] == i) (zip fresh (indices fresh)))
    in (level, front, k + 1)
  in (level, k)
