-- Fiedler vector of a graph (spectral bisection) by deflated power iteration on a CSR built with scans.
def norm [n] (x: [n]f32) : [n]f32 =
  let s = f32.sqrt (f32.sum (map (** 2) x)) in map (/ f32.max 1e-20 s) x

def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)

entry main [n] (steps: i32) (fanout: [n]u8) (far: [n]u32) : ([n]f32, f32, f32) =
  -- vertex i has 1 + fanout%7 links; link 0 goes to the next vertex, others are close or hashed
  let deg = map (\d -> 1 + i64.u8 (d % 7)) fanout
  let upto = scan (+) 0 deg
  let off = map2 (-) upto deg
  let m = if n == 0 then 0 else upto[n - 1]
  let own = scan i64.max 0 (scatter (replicate m 0) off (iota n))
  let col = map2 (\e u ->
      let k = e - off[u]
      in if k == 0 then (u + 1) % n
         else if k < 5 then (u + k * k * 3) % n
         else i64.u32 (far[u] * u32.i64 (2 * k + 1)) % n) (iota m) own
  let indeg = reduce_by_index (replicate n 0i64) (+) 0 col (replicate m 1)
  let d = map2 (\a b -> f32.i64 (a + b)) deg indeg
  let isq = map (\x -> 1 / f32.sqrt x) d
  let top = norm (map f32.sqrt d)
  let apply (x: [n]f32) : [n]f32 =
    let y = map2 (*) isq x
    let fwd = map2 (\o k -> loop s = 0 for e in o..<o + k do s + y[col[e]]) off deg
    let bwd = reduce_by_index (replicate n 0) (+) 0 col (map (\u -> y[u]) own)
    in map4 (\x a b i -> 0.5 * (x + (a + b) * i)) x fwd bwd isq
  let start = map (\f -> f32.u32 (f >> 8) / 16777216 - 0.5) far
  let v = loop x = start for _i < steps do
    let y = apply x
    let c = dot y top
    in norm (map2 (\y t -> y - c * t) y top)
  let side = map (> 0) v
  let cut = i64.sum (map2 (\u w -> i64.bool (side[u] != side[w])) own col)
  in (v, f32.i64 cut / f32.i64 m, f32.i64 (i64.sum (map i64.bool side)) / f32.i64 n)
