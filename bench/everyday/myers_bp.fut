-- Approximate search by Myers' bit-vectors: least edit distance of the pattern in each text, its end, and the number of near hits.
type state = {pv: u64, mv: u64, score: i32, best: i32, at: i32, hits: i32}

def search [l] (m: i32) (limit: i32) (peq: [4]u64) (text: [l]u8) : (i32, i32, i32) =
  let high = 1u64 << u64.i32 (m - 1)
  let s0 : state = {pv = u64.highest, mv = 0, score = m, best = m, at = -1, hits = 0}
  let s = loop s = s0 for i < l do
    let eq = peq[i64.u8 (text[i] & 3)]
    let xv = eq | s.mv
    let xh = (((eq & s.pv) + s.pv) ^ s.pv) | eq
    let ph = s.mv | !(xh | s.pv)
    let mh = s.pv & xh
    let score = s.score + (if ph & high != 0 then 1 else if mh & high != 0 then -1 else 0)
    let ph' = ph << 1
    let mh' = mh << 1
    let better = score < s.best
    in {pv = mh' | !(xv | ph'), mv = ph' & xv, score,
        best = if better then score else s.best,
        at = if better then i32.i64 i else s.at,
        hits = s.hits + i32.bool (score <= limit)}
  in (s.best, s.at, s.hits)

entry main [n] [l] [m] (limit: i32) (pattern: [m]u8) (texts: [n][l]u8) : ([n]i32, [n]i32, [n]i32) =
  let k = i64.min m 64
  let peq = tabulate 4 (\c ->
    reduce (|) 0 (map (\i -> if i64.u8 (pattern[i] & 3) == c then 1u64 << u64.i64 i else 0) (iota k)))
  in unzip3 (map (search (i32.i64 k) limit peq) texts)
