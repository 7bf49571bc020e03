-- Percolation thresholds: sites of a small lattice opened in random order until top meets bottom; union-find with path halving per thread.
def find [n] (p: *[n]i16) (x0: i16) : (*[n]i16, i16) =
  loop (p, x) = (p, x0) while p[i64.i16 x] != x do
    let g = p[i64.i16 p[i64.i16 x]]
    in (p with [i64.i16 x] = g, g)

def union [n] (p: *[n]i16) (a: i16) (b: i16) : *[n]i16 =
  let (p, ra) = find p a
  let (p, rb) = find p b
  in if ra == rb then p else if ra < rb then p with [i64.i16 rb] = ra else p with [i64.i16 ra] = rb

def next (s: u32) : u32 = let s = s ^ (s << 13) let s = s ^ (s >> 17) in s ^ (s << 5)

def run (l: i64) (seed: u32) : (i32, i32) =
  let n = l * l
  let (top, bottom) = (i16.i64 n, i16.i64 (n + 1))
  let (order, s) =
    loop (o, s) = (map i16.i64 (iota n), seed | 1) for k < n - 1 do
      let s = next s
      let i = n - 1 - k
      let j = i64.u32 (s >> 4) % (i + 1)
      let (a, b) = (o[i], o[j])
      in (o with [i] = b with [j] = a, s)
  let (_, _, opened, _) =
    loop (p, isopen, k, done) = (map i16.i64 (iota (n + 2)), replicate n false, 0i64, false) while not done && k < n do
      let c = i64.i16 order[k]
      let (y, x) = (c / l, c % l)
      let isopen = isopen with [c] = true
      let me = i16.i64 c
      let p = if y == 0 then union p me top else p
      let p = if y == l - 1 then union p me bottom else p
      let p = if y > 0 && isopen[c - l] then union p me (i16.i64 (c - l)) else p
      let p = if y < l - 1 && isopen[c + l] then union p me (i16.i64 (c + l)) else p
      let p = if x > 0 && isopen[c - 1] then union p me (i16.i64 (c - 1)) else p
      let p = if x < l - 1 && isopen[c + 1] then union p me (i16.i64 (c + 1)) else p
      let (p, a) = find p top
      let (p, b) = find p bottom
      in (p, isopen, k + 1, a == b)
  in (i32.i64 opened, i32.u32 (s & 1023))

def main [r] (l0: i64) (seeds: [r]u32) =
  let l = i64.max 1 (i64.min 24 l0)
  let (k, tail) = unzip (map (run l) seeds)
  let mean = f64.i64 (i64.sum (map i64.i32 k)) / f64.i64 (r * l * l)
  let h = reduce_by_index (replicate (l * l + 1) 0i32) (+) 0 (map i64.i32 k) (replicate r 1)
  in (k, tail, h, mean)
