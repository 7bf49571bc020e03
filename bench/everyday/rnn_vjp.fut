-- One training step of a simple recurrent network, back through time over a batch.
type weights [i][h][o] = {wx: [h][i]f32, wh: [h][h]f32, b: [h]f32, wo: [o][h]f32}

def centre [r][c] (s: f32) (w: [r][c]f32) : [r][c]f32 =
  map (map (\x -> (x - 0.5) * s)) w

def dot [n] (a: [n]f32) (b: [n]f32) : f32 = reduce (+) 0 (map2 (*) a b)

def matvec [r][c] (m: [r][c]f32) (x: [c]f32) : [r]f32 = map (dot x) m

def step [i][h][o] (w: weights [i][h][o]) (s: [h]f32) (x: [i]f32) : [h]f32 =
  map3 (\a b c -> f32.tanh (a + b + c)) (matvec w.wx x) (matvec w.wh s) w.b

def loss [b][t][i][h][o] (xs: [t][b][i]f32) (ys: [b][o]f32) (w: weights [i][h][o]) : f32 =
  let s0 = replicate b (replicate h 0f32)
  let last = loop s = s0 for x in xs do map2 (step w) s x
  let err = map2 (\s y -> let p = matvec w.wo s in f32.sum (map2 (\a b -> (a - b) * (a - b)) p y)) last ys
  in f32.sum err / f32.i64 (b * o)

entry main [b][t][i][h][o] (rate: f32) (xs: [t][b][i]f32) (ys: [b][o]f32)
                           (wx: [h][i]f32) (wh: [h][h]f32) (bias: [h]f32) (wo: [o][h]f32)
    : (f32, [h][i]f32, [h][h]f32, [h]f32, [o][h]f32) =
  let s = 2 / f32.sqrt (f32.i64 h)
  let w = {wx = centre s wx, wh = centre s wh, b = map (\x -> x - 0.5) bias, wo = centre s wo}
  let (l, g) = vjp2 (loss xs ys) w 1
  let down [q] (a: [q]f32) (d: [q]f32) = map2 (\a d -> a - rate * d) a d
  in (l, map2 down w.wx g.wx, map2 down w.wh g.wh, down w.b g.b, map2 down w.wo g.wo)
