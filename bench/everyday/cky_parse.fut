-- CKY chart recognition of many sentences with a binary grammar as bit sets: spans by length, best split counts.
def nt : i64 = 16

-- rules[a][b]: set of heads that derive a b
def combine (rules: [nt][nt]u16) (l: u16) (r: u16) : u16 =
  loop s = 0u16 for a < nt do
    if (l >> u16.i64 a) & 1 == 0 then s
    else loop s for b < nt do
           if (r >> u16.i64 b) & 1 == 0 then s else s | rules[a, b]

entry main [s][n] (rs: [nt][nt]u16) (words: [s][n]u8) (lex: [64]u16) : ([s]bool, [s]i32, [nt]i64) =
  -- keep the grammar thin: few heads per pair
  let rules = map (map (\r -> if r & 3 == 0 then 1 << (r >> 12) else 0)) rs
  let lex = map (\x -> 1 | (1 << (x & 15))) lex
  let parse (ws: [n]u8) =
    let chart0 = tabulate_2d n n (\i j -> if i == j then lex[i64.u8 (ws[i] & 63)] else 0)
    let chart = loop chart = chart0 for len in 2..<n + 1 do
      loop chart for i < n - len + 1 do
        let j = i + len - 1
        let v = loop v = 0u16 for k in i..<j do v | combine rules chart[i, k] chart[k + 1, j]
        in chart with [i, j] = v
    let spans = i32.sum (map (i32.u16 <-< (\x -> u16.bool (x != 0))) (flatten chart))
    in (chart[0, n - 1], spans)
  let (roots, spans) = unzip (map parse words)
  let tops = map (\a -> i64.sum (map (\r -> i64.u16 ((r >> u16.i64 a) & 1)) roots)) (iota nt)
  in (map (\r -> r & 1 == 1) roots, spans, tops)
