-- Longest winning streak of every player: games in player order, segmented count that a loss resets, maximum by player.
entry main [n] (newp: [n]u8) (res: [n]i8) : ([]i32, [n]i32, i64) =
  let flag = map2 (\i x -> i == 0 || x < 4) (iota n) newp
  let player = map (\x -> x - 1) (scan (+) 0 (map i64.bool flag))
  let np = if n == 0 then 0 else player[n-1] + 1
  let win = map (> -60) res
  let streak =
    map (.1) (scan (\(f, a) (g, b) -> (f || g, if g then b else a + b)) (false, 0i32)
                   (map2 (\f w -> (f || !w, i32.bool w)) flag win))
  let best = reduce_by_index (replicate np 0) i32.max 0 player streak
  let score = map2 (\s p -> 100 * s / (1 + best[p])) streak player
  in (best, score, i64.sum (map (\b -> i64.bool (b >= 10)) best))
