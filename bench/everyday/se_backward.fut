-- Squeeze-and-excitation on a batch of feature maps with a hand-written backward pass (maps and both small matrices).
def mean2 [h][w] (a: [h][w]f32) = f32.sum (map f32.sum a) / f32.i64 (h * w)
def mv [m][k] (a: [m][k]f32) (x: [k]f32) = map (\r -> f32.sum (map2 (*) r x)) a
def outer [m][k] (a: [m]f32) (b: [k]f32) = map (\x -> map (* x) b) a
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))
def swish x = x * sigmoid x
def swish' x = let s = sigmoid x in s * (1 + x * (1 - s))

entry main [n][c][r][h][w] (x: [n][c][h][w]f32) (w1: [r][c]f32) (w2: [c][r]f32) (dy: [n][c][h][w]f32) =
  let c1 = map (map (\v -> v - 0.5)) w1
  let c2 = map (map (\v -> v - 0.5)) w2
  let squeeze = map (map mean2) x
  let pre = map (mv c1) squeeze
  let hid = map (map swish) pre
  let gate = map (\a -> map sigmoid (mv c2 a)) hid
  let y = map2 (map2 (\g -> map (map (* g)))) gate x
  let dgate = map2 (map2 (\a b -> f32.sum (map2 (\p q -> f32.sum (map2 (*) p q)) a b))) x dy
  let dlogit = map2 (map2 (\g d -> d * g * (1 - g))) gate dgate
  let dpre = map2 (\d p -> map2 (*) (mv (transpose c2) d) (map swish' p)) dlogit pre
  let dsq = map (mv (transpose c1)) dpre
  let total [a][b] (g: [n][a][b]f32) = reduce (map2 (map2 (+))) (replicate a (replicate b 0)) g
  let dx = map3 (map3 (\g s d -> let t = s / f32.i64 (h * w) in map (map (\v -> g * v + t)) d)) gate dsq dy
  in (y, dx, total (map2 outer dpre squeeze), total (map2 outer dlogit hid))
