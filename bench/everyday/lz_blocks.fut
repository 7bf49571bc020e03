-- LZ77 per block: greedy parse with a small hash table, token counts and cost, then decoded again and compared.
def hash3 (a: u8) (b: u8) (c: u8) : i64 =
  i64.u32 (((u32.u8 a << 16 | u32.u8 b << 8 | u32.u8 c) * 2654435761) >> 24)

type token = {dist: u16, len: u16, lit: u8}

def match_length [n] (xs: [n]u8) (from: i64) (at: i64) : i64 =
  loop k = 0 while at + k < n && k < 255 && xs[from + k] == xs[at + k] do k + 1

def parse [n] (xs: [n]u8) : (i64, [n]token) =
  let table = replicate 256 (-1i64)
  let tokens = replicate n ({dist = 0, len = 0, lit = 0}: token)
  let (_, count, _, tokens) =
    loop (p, count, table, tokens) = (0, 0, table, tokens) while p < n do
      if p + 3 > n
      then (p + 1, count + 1, table, tokens with [count] = {dist = 0, len = 0, lit = xs[p]})
      else
        let h = hash3 xs[p] xs[p + 1] xs[p + 2]
        let cand = table[h]
        let table = table with [h] = p
        let len = if cand >= 0 then match_length xs cand p else 0
        in if len >= 4
           then (p + len, count + 1, table, tokens with [count] = {dist = u16.i64 (p - cand), len = u16.i64 len, lit = 0})
           else (p + 1, count + 1, table, tokens with [count] = {dist = 0, len = 0, lit = xs[p]})
  in (count, tokens)

def unparse [m] (n: i64) (count: i64) (tokens: [m]token) : [n]u8 =
  let (ys, _) =
    loop (ys, p) = (replicate n 0u8, 0) for t < count do
      let tok = tokens[t]
      in if tok.len == 0 then (ys with [p] = tok.lit, p + 1)
         else loop (ys, p) for _k < i64.u16 tok.len do
                let c = ys[p - i64.u16 tok.dist]
                in (ys with [p] = c, p + 1)
  in ys

entry main [b][n] (data: [b][n]u8) : ([b]i64, [b]i64, i64) =
  let text = map (map (\c -> if c < 200 then c & 1 else c & 3)) data
  let (counts, tokens) = unzip (map parse text)
  let cost c ts = i64.sum (map2 (\i t -> if i >= c then 0 else if t.len == 0 then 9 else 21) (iota n) ts)
  let costs = map2 cost counts tokens
  let wrong = map3 (\xs c ts -> i64.sum (map2 (\x y -> i64.bool (x != y)) xs (unparse n c ts))) text counts tokens
  in (counts, costs, i64.sum wrong)
