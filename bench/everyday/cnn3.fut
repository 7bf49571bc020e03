-- A small convolutional network, forward, of a batch: two convolutions of 3x3 with relu and pooling, one dense layer with a softmax.
def relu (x: f32): f32 = f32.max 0 x

-- Random numbers of [0,1) as weights about zero, scaled by the fan-in.
def centre (fan: i64) (x: f32): f32 = (x - 0.5) * 2 / f32.sqrt (f32.i64 fan)

def conv [ci][h][w][co][k] (bias: [co]f32) (kernels: [co][ci][k][k]f32) (x: [ci][h][w]f32): [co][h - k + 1][w - k + 1]f32 =
  map2 (\b kernel ->
          tabulate_2d (h - k + 1) (w - k + 1) (\i j ->
            let s = loop s = b for c < ci do
              loop s for di < k do
                loop s for dj < k do
                  s + kernel[c, di, dj] * x[c, i + di, j + dj]
            in relu s))
       bias kernels

def pool [c][h][w] (x: [c][h][w]f32): [c][h / 2][w / 2]f32 =
  map (\p -> tabulate_2d (h / 2) (w / 2) (\i j ->
               f32.max (f32.max p[2 * i, 2 * j] p[2 * i, 2 * j + 1]) (f32.max p[2 * i + 1, 2 * j] p[2 * i + 1, 2 * j + 1])))
      x

def softmax [n] (z: [n]f32): [n]f32 =
  let m = f32.maximum z
  let e = map (\x -> f32.exp (x - m)) z
  let s = f32.sum e
  in map (/ s) e

entry main [n][c][h][w][c1][c2][f][k]
    (x: [n][c][h][w]f32) (w1: [c1][c][3][3]f32) (b1: [c1]f32) (w2: [c2][c1][3][3]f32) (b2: [c2]f32)
    (w3: [k][f]f32) (b3: [k]f32): [n][k]f32 =
  let w1 = map (map (map (map (centre (c * 9))))) w1
  let w2 = map (map (map (map (centre (c1 * 9))))) w2
  let w3 = map (map (centre f)) w3
  let b1 = map (\b -> b - 0.5) b1
  let b2 = map (\b -> b - 0.5) b2
  in map (\image ->
            let features = image |> conv b1 w1 |> pool |> conv b2 w2 |> pool |> flatten_3d
            let features = features :> [f]f32
            in softmax (map2 (\row b -> b + f32.sum (map2 (*) row features)) w3 b3))
         x
