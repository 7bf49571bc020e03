-- Byte-pair encoding of words: each thread merges the best ranked pair of its word in place until no pair is in the table.
def main [n][l][v] (words: [n][l]u8) (lens: [n]u8) (table: [v][v]u16) =
  -- a quarter of the pairs can merge; rank and new token come from the entry
  let rule (a: u8) (b: u8) : (i32, u8) =
    let e = table[i64.u8 a, i64.u8 b]
    in if e % 4 != 0 then (99999, 0) else (i32.u16 e, u8.i64 ((i64.u16 (e >> 3) + i64.u8 a) % v))
  let encode (word: [l]u8) (len0: u8) =
    let toks = map (\c -> u8.i64 (i64.u8 c % v)) word
    let len = i64.min l (1 + i64.u8 len0 % i64.max 1 l)
    let (toks, len, _, merges) =
      loop (toks, len, go, merges) = (toks, len, len > 1, 0i32) while go do
        let (_, at) =
          loop (best, at) = (99999, -1) for i < len - 1 do
            let (r, _) = rule toks[i] toks[i + 1]
            in if r < best then (r, i) else (best, at)
        in if at < 0 then (toks, len, false, merges)
           else let (_, t) = rule toks[at] toks[at + 1]
                let toks = toks with [at] = t
                let toks = loop toks for i in (at + 1) ..< (len - 1) do
                             let x = toks[i + 1]
                             in toks with [i] = x
                in (toks, len - 1, len - 1 > 1, merges + 1)
    let toks = loop toks for i in len ..< l do toks with [i] = 255
    in (toks, i32.i64 len, merges)
  let (toks, len, merges) = unzip3 (map2 encode words lens)
  let use = reduce_by_index (replicate v 0i32) (+) 0 (map (\t -> if t == 255 then -1 else i64.u8 t) (flatten toks)) (replicate (n * l) 1)
  let off = scan (+) 0 len
  in (toks, off, use, i64.sum (map i64.i32 merges))
