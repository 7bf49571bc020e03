-- Connected components by hooking and pointer jumping, with the size of each component and the largest.
def argmax (a: (i32, i32)) (b: (i32, i32)) : (i32, i32) =
  if a.0 > b.0 then a
  else if b.0 > a.0 then b
  else (a.0, i32.min a.1 b.1)

def endpoint (n: i64) (x: i32) = i64.i32 (x & 0x7fffffff) % n

entry main [m] (n: i64) (src: [m]i32) (dst: [m]i32) : ([n]i32, [n]i32, i32, i32, i32) =
  let us = map (endpoint n) src
  let vs = map (endpoint n) dst
  let (parent, _, rounds) =
    loop (f, go, k) = (map i32.i64 (iota n), true, 0i32) while go do
      let gu = map (\u -> f[i64.i32 f[u]]) us
      let gv = map (\v -> f[i64.i32 f[v]]) vs
      let low = map2 i32.min gu gv
      -- hook the parents (and the vertices themselves) of both ends to the lower grandparent
      let f1 = reduce_by_index (copy f) i32.min i32.highest (map (\u -> i64.i32 f[u]) us) low
      let f2 = reduce_by_index f1 i32.min i32.highest (map (\v -> i64.i32 f[v]) vs) low
      let f3 = reduce_by_index f2 i32.min i32.highest us gv
      let f4 = reduce_by_index f3 i32.min i32.highest vs gu
      let f5 = map (\p -> f4[i64.i32 p]) f4
      in (f5, or (map2 (!=) f f5), k + 1)
  let roots = map i64.i32 parent
  let sizes = reduce_by_index (replicate n 0i32) (+) 0 roots (replicate n 1)
  let (big, who) = reduce argmax (-1, i32.highest) (zip sizes (map i32.i64 (iota n)))
  in (parent, sizes, big, who, rounds)
