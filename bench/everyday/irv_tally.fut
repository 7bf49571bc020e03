-- Instant-runoff election: every ballot counts for its best candidate still in the race, the weakest leaves, until one has a majority.
entry main [v][c] (scores: [v][c]u8) : (i64, i64, [c]i64, [c]i64) =
  let bias = tabulate c (\j -> i32.i64 (j * 7 % 31))
  let pref = map (\b -> map2 (\s e -> i32.u8 s + e) b bias) scores
  let favourite (alive: [c]bool) (b: [c]i32) : i64 =
    let better (s, i) (t, j) = if t > s || (t == s && j < i) then (t, j) else (s, i)
    in (reduce better (-1, c) (map3 (\a s j -> if a then (s, j) else (-1, c)) alive b (iota c))).1
  let count alive = hist (+) 0i64 c (map (favourite alive) pref) (replicate v 1)
  let all = replicate c true
  let (alive, votes, out, round) =
    loop (alive, votes, out, round) = (all, count all, replicate c (-1), 0)
    while 2 * i64.maximum votes <= v && i64.sum (map i64.bool alive) > 1 do
      let (_, weak) = reduce_comm (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j))
                                  (i64.highest, c) (zip (map2 (\a x -> if a then x else i64.highest - 1) alive votes) (iota c))
      let alive = tabulate c (\j -> alive[j] && j != weak)
      in (alive, count alive, out with [weak] = round, round + 1)
  let top = i64.maximum votes
  let winner = i64.minimum (map2 (\x j -> if x == top && alive[j] then j else c) votes (iota c))
  in (winner, round, votes, out)
