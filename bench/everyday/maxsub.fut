-- The best segment ending anywhere, for every prefix, with its bounds: a scan of tuples that does not commute.
type best = {total: i64, pre: (i64, i64), suf: (i64, i64), top: (i64, i64, i64), len: i64}

def better2 (a: (i64, i64)) (b: (i64, i64)) = if b.0 > a.0 then b else a
def better3 (a: (i64, i64, i64)) (b: (i64, i64, i64)) = if b.0 > a.0 then b else a

-- pre: sum and length of the best prefix; suf: of the best suffix; top: sum, first, last.
def join (a: best) (b: best) : best =
  if a.len == 0 then b else if b.len == 0 then a else
  let shift (s, f, l) = (s, f + a.len, l + a.len)
  let across = (a.suf.0 + b.pre.0, a.len - a.suf.1, a.len + b.pre.1 - 1)
  in {total = a.total + b.total, len = a.len + b.len,
      pre = better2 a.pre (a.total + b.pre.0, a.len + b.pre.1),
      suf = better2 b.suf (b.total + a.suf.0, b.len + a.suf.1),
      top = better3 (better3 a.top (shift b.top)) across}

def unit (x: i32) : best =
  let v = 2 * i64.i32 (x / 4096) + 1
  in {total = v, pre = (v, 1), suf = (v, 1), top = (v, 0, 0), len = 1}

def none : best = {total = 0, pre = (0, 0), suf = (0, 0), top = (0, 0, 0), len = 0}

entry main [n] (xs: [n]i32) : (i64, i64, i64, [n]i64) =
  let all = scan join none (map unit xs)
  let (s, f, l) = (reduce join none (map unit xs)).top
  in (s, f, l, map (\b -> b.top.0) all)
