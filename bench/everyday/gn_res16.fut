-- A diffusion network's residual block on half-precision maps: group norm, SiLU, 3x3 convolution, the time embedding added, once more, and the skip; sums in single precision.
def silu (x: f32) = x / (1 + f32.exp (-x))

def groupnorm [c][h][w] (groups: i64) (g: [c]f16) (b: [c]f16) (x: [c][h][w]f16): [c][h][w]f16 =
  let per = c / groups
  let moments = map (\k ->
    let (s, q) = map (\i -> let v = f32.f16 x[k*per + i / (h*w), (i / w) % h, i % w] in (v, v*v)) (iota (per*h*w))
                 |> reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
    let m = f32.i64 (per*h*w)
    let mean = s / m
    in (mean, 1 / f32.sqrt (f32.max 0 (q/m - mean*mean) + 1e-2))) (iota groups)
  in map4 (\i plane g b ->
       let (mean, r) = moments[i64.min (groups - 1) (i / per)]
       in map (map (\v -> f16.f32 (silu ((f32.f16 v - mean) * r * f32.f16 g + f32.f16 b)))) plane) (iota c) x g b

def conv [c][h][w][o] (k: [o][c][3][3]f16) (x: [c][h][w]f16): [o][h][w]f32 =
  tabulate_3d o h w (\f y z ->
    loop s = 0f32 for q < c do
      let part = loop p = 0f32 for t < 9 do
        let (yy, zz) = (y + t/3 - 1, z + t%3 - 1)
        in if yy < 0 || zz < 0 || yy >= h || zz >= w then p else p + f32.f16 x[q, yy, zz] * (f32.f16 k[f, q, t/3, t%3] - 0.5)
      in s + part)

entry main [n][c][h][w][e] (groups: i64) (g1: [c]f16) (b1: [c]f16) (k1: [c][c][3][3]f16) (wt: [c][e]f16) (g2: [c]f16) (b2: [c]f16) (k2: [c][c][3][3]f16) (emb: [n][e]f16) (x: [n][c][h][w]f16): [n][c][h][w]f16 =
  let scale = 0.3 / f32.sqrt (f32.i64 c)
  in map2 (\im t ->
       let time = map (\r -> f32.sum (map2 (\a b -> (f32.f16 a - 0.5) * silu (f32.f16 b)) r t)) wt
       let a = groupnorm groups g1 b1 im |> conv k1
       let a = map2 (\p s -> map (map (\v -> f16.f32 (scale * v + s))) p) a time
       let z = groupnorm groups g2 b2 a |> conv k2
       in map2 (map2 (map2 (\s v -> f16.f32 (f32.f16 s + scale * v)))) im z) x emb
