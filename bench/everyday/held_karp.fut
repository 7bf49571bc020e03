-- Travelling salesman by Held and Karp: shortest tours over subsets of at most 16 towns, for several distance tables.
def inf : i32 = 1 << 28

def tour (n: i64) (dist: [n][n]i32) : i32 =
  let masks = 1 << n
  let start = tabulate_2d masks n (\m j -> if m == 1 && j == 0 then 0 else inf)
  let best = loop best = start for _s < n - 1 do
    tabulate_2d masks n (\m j ->
      if m & 1 == 0 || (m >> j) & 1 == 0 then inf
      else if j == 0 then best[m, 0]
      else let before = m & !(1 << j)
           in loop acc = inf for k < n do
                if k == j || (before >> k) & 1 == 0 then acc
                else i32.min acc (best[before, k] + dist[k, j]))
  in i32.minimum (map (\j -> best[masks - 1, j] + dist[j, 0]) (iota n))

entry main [b] [n] (tables: [b][n][n]i32) : [b]i32 =
  let d = map (map (map (\x -> (x & 0xfffff) + 1))) tables
  in map (\t -> tour n t) d
