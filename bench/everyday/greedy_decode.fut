-- Greedy decoding of a batch by a fixed-point recurrent net: embedding, state, logits, argmax, the token fed back.
def clamp (x: i32) = i32.max (-127) (i32.min 127 x)

def idot [d] (a: [d]i8) (b: [d]i32) : i32 = i32.sum (map2 (\x y -> i32.i8 x * y) a b)

def better (a: i32, i: i64) (b: i32, j: i64) : (i32, i64) =
  if b > a || (b == a && j < i) then (b, j) else (a, i)

entry main [v] [d] [b] (len: i64) (emb: [v][d]i8) (u: [d][d]i8) (out: [v][d]i8) (prompt: [b]i32) : ([b][len]i32, [b]i32) =
  let start = map (\p -> i64.i32 (p & 0x7fffffff) % v) prompt
  let h0 = replicate b (replicate d 1i32)
  let toks0 = replicate len (replicate b 0i32)
  let (_, _, toks, score) =
    loop (h, tok, toks, score) = (h0, start, toks0, replicate b 0i32) for t < len do
      let h = map2 (\h k -> map2 (\row e -> clamp ((idot row h >> 5) + i32.i8 e)) u emb[k]) h tok
      let best = map (\h -> reduce_comm (\x y -> better x y) (i32.lowest, v) (map2 (\o i -> (idot o h, i)) out (iota v))) h
      let (logit, next) = unzip best
      in (h, next, toks with [t] = map i32.i64 next, map2 (\s l -> s + (l >> 6)) score logit)
  in (transpose toks, score)
