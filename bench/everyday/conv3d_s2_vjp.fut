-- Strided 3-D convolution over channels, with the gradients of input and kernel for a given output gradient.
def conv [ci][co][d][h][w] (x: [ci][d][h][w]f32) (k: [co][ci][3][3][3]f32) : [co][d/2][h/2][w/2]f32 =
  let at (c: i64) (z: i64) (y: i64) (u: i64) =
    if z < 0 || z >= d || y < 0 || y >= h || u < 0 || u >= w then 0 else x[c, z, y, u]
  in map (\ko ->
            tabulate_3d (d / 2) (h / 2) (w / 2) (\z y u ->
              loop acc = 0 for q < ci * 27 do
                let (c, a, b, e) = (q / 27, (q / 9) % 3, (q / 3) % 3, q % 3)
                in acc + ko[c, a, b, e] * at c (2 * z + a - 1) (2 * y + b - 1) (2 * u + e - 1)))
         k

entry main [ci][co][d][h][w] (x: [ci][d][h][w]f32) (k: [co][ci][3][3][3]f32) (g: [co]f32) =
  let y = conv x k
  let dy = map2 (\s m -> map (map (map (\v -> s * v / (1 + f32.abs v)))) m) g y
  let (dx, dk) = vjp (\(a, b) -> conv a b) (x, k) dy
  in (y, dx, dk)
