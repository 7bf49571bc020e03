-- A film held still: row and column sums of each frame are slid against those of the frame before, and frames are moved back.
def best_shift [n] (r: i64) (a: [n]i32) (b: [n]i32) : i64 =
  let cost s = i32.sum (map (\i -> i32.abs (a[i + r] - b[i + r + s])) (iota (n - 2 * r)))
  let costs = tabulate (2 * r + 1) (\k -> (cost (k - r), k - r))
  let (_, s) = reduce_comm (\(c, s) (d, t) -> if c < d || (c == d && s < t) then (c, s) else (d, t))
                           (i32.highest, i64.highest) costs
  in s

def against [t] [n] (r: i64) (profiles: [t][n]i32) : [t]i64 =
  tabulate t (\i -> if i == 0 then 0 else best_shift r profiles[i - 1] profiles[i]) |> scan (+) 0

entry main [t] [h] [w] (r: i64) (film: [t][h][w]u8) : ([t]i64, [t]i64, [t][h][w]u8) =
  let rows = map (map (\row -> i32.sum (map i32.u8 row))) film
  let cols = map (\fr -> map (\col -> i32.sum (map i32.u8 col)) (transpose fr)) film
  let dy = against r rows
  let dx = against r cols
  let clamp n i = i64.max 0 (i64.min (n - 1) i)
  let moved = tabulate_3d t h w (\k y x -> film[k, clamp h (y + dy[k]), clamp w (x + dx[k])])
  in (dy, dx, moved)
