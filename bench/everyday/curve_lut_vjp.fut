-- Fitting per-channel tone curves: gradient of a colour-matching loss with respect to 3x33 curve knots (linear interpolation) and a 3x3 matrix, by vjp.
type params = ([3][33]f32, [3][3]f32)

def curve (c: [33]f32) (v: f32) : f32 =
  let p = v * 32
  let i = i64.max 0 (i64.min 31 (i64.f32 p))
  let t = p - f32.i64 i
  in c[i] * (1 - t) + c[i+1] * t

def render (curves: [3][33]f32, m: [3][3]f32) (px: [3]f32) : [3]f32 =
  let q = map2 curve curves px
  in map (\row -> row[0]*q[0] + row[1]*q[1] + row[2]*q[2]) m

def loss [n] (src: [n][3]f32) (ref: [n][3]f32) (p: params) : f32 =
  let err s r =
    let o = render p s
    in f32.sum (map2 (\a b -> let d = a - b in f32.sqrt (d*d + 0.01)) o r)
  in f32.sum (map2 err src ref) / f32.i64 n

entry main [n] (rate: f32) (src: [n][3]f32) (ref: [n][3]f32) : ([3][33]f32, [3][3]f32, f32) =
  let target = map (map (\v -> v * v)) ref
  let p0 : params = (replicate 3 (tabulate 33 (\i -> f32.i64 i / 32)), tabulate_2d 3 3 (\i j -> if i == j then 0.9 else 0.05))
  let (c, m) = loop (p: params) = p0 for _k < 2i32 do
    let (gc, gm) = vjp (loss src target) p 1
    in (map2 (map2 (\a g -> a - rate * g)) p.0 gc, map2 (map2 (\a g -> a - rate * g)) p.1 gm)
  in (c, m, loss src target (c, m))
