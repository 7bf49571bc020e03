-- A cyclic cellular automaton with k colours and a diamond neighbourhood of radius 2 (wrapped); every ten steps the histogram of the colours.
def diamond: [12](i64, i64) =
  [(-2, 0), (-1, -1), (-1, 0), (-1, 1), (0, -2), (0, -1), (0, 1), (0, 2), (1, -1), (1, 0), (1, 1), (2, 0)]
def iterate 'a (n: i32) (f: a -> a) (x: a): a = loop x for _i < n do f x


def neighbour [h][w] (g: [h][w]u8) (y: i64, x: i64) (dy: i64, dx: i64): u8 =
  let yy = y + dy
  let xx = x + dx
  let yy = if yy < 0 then yy + h else if yy >= h then yy - h else yy
  let xx = if xx < 0 then xx + w else if xx >= w then xx - w else xx
  in #[unsafe] g[yy, xx]

def advance [h][w] (k: u8) (threshold: i32) (g: [h][w]u8): [h][w]u8 =
  tabulate_2d h w (\y x ->
    let next = if g[y, x] + 1 == k then 0 else g[y, x] + 1
    let votes = map (\d -> i32.bool (neighbour g (y, x) d == next)) diamond |> reduce (+) 0
    in if votes >= threshold then next else g[y, x])

entry main [h][w] (rounds: i64) (k: u8) (threshold: i32) (seed: [h][w]i32): ([h][w]u8, [rounds][16]i64, i64) =
  let g = map (map (\s -> u8.i32 ((s & 0x7fffffff) % i32.u8 k))) seed
  let (g, log) =
    loop (g, log) = (g, replicate rounds (replicate 16 0i64)) for i < rounds do
      let g = iterate 10 (advance k threshold) g
      let h = hist (+) 0i64 16 (map i64.u8 (flatten g)) (map (\_ -> 1) (flatten g))
      in (g, log with [i] = h)
  let edges = tabulate_2d h w (\y x -> i64.bool (g[y, x] != neighbour g (y, x) (0, 1)) + i64.bool (g[y, x] != neighbour g (y, x) (1, 0)))
  in (g, log, i64.sum (flatten edges))
