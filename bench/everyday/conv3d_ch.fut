-- A volumetric block: grouped 3x3x3 convolution with channels (zero padding), instance normalisation, relu and max pooling by 2.
type~ volume [c][d][h][w] = [c][d][h][w]f32

def conv [c][d][h][w][o][ci] (kernels: [o][ci][27]f32) (x: volume [c][d][h][w]): volume [o][d][h][w] =
  let groups = c / ci
  in tabulate o (\k ->
       let base = k / (o / groups) * ci
       in tabulate_3d d h w (\z y v ->
            let term ch t =
              let (zz, yy, vv) = (z + t / 9 - 1, y + t / 3 % 3 - 1, v + t % 3 - 1)
              let inside = zz >= 0 && zz < d && yy >= 0 && yy < h && vv >= 0 && vv < w
              in if inside then kernels[k, ch, t] * x[base + ch, zz, yy, vv] else 0
            in loop acc = 0 for ch < ci do
                 loop acc for t < 27 do acc + term ch t))

def normalise [d][h][w] (gamma: f32) (beta: f32) (x: [d][h][w]f32): [d][h][w]f32 =
  let n = f32.i64 (d * h * w)
  let total f = f32.sum (map (\slice -> f32.sum (map f (flatten slice))) x)
  let mean = total id / n
  let var = total (\v -> (v - mean) * (v - mean)) / n
  let s = (0.5 + gamma) / f32.sqrt (var + 1e-4)
  in map (map (map (\v -> (v - mean) * s + beta - 0.5))) x

def pool [d][h][w] (x: [d][h][w]f32): [d / 2][h / 2][w / 2]f32 =
  tabulate_3d (d / 2) (h / 2) (w / 2) (\z y v ->
    let cube = flatten_3d (x[2 * z:2 * z + 2, 2 * y:2 * y + 2, 2 * v:2 * v + 2] :> [2][2][2]f32)
    in reduce f32.max 0 cube)

entry main [c][d][h][w][o][ci] (x: volume [c][d][h][w]) (kernels: [o][ci][27]f32) (gamma: [o]f32) (beta: [o]f32)
  : volume [o][d / 2][h / 2][w / 2] =
  let k = map (map (map (\v -> v - 0.5))) kernels
  in map3 (\g b plane -> pool (normalise g b plane)) gamma beta (conv k x)
