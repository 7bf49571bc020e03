-- Swift-Hohenberg pattern formation on a torus: u_t = r u - (1 + lap)^2 u + g u^2 - u^3, the square by two stencil stages per step.
def lap [h][w] (u: [h][w]f32) : [h][w]f32 =
  map3 (map3 (\(a, b) c (d, e) -> a + b + d + e - 4 * c))
       (map2 zip (rotate (-1) u) (rotate 1 u)) u
       (map (\r -> zip (rotate (-1) r) (rotate 1 r)) u)

entry main [h][w] (steps: i32) (r: f32) (u0: [h][w]f32) : ([h][w]f32, f32) =
  let start = map (map (\x -> 0.2 * (x - 0.5))) u0
  let u = loop u = start for _i < steps do
    let v = map2 (map2 (\l c -> l + c)) (lap u) u
    let lv = lap v
    in map3 (map3 (\c a b -> c + 0.01 * ((0.1 + r) * c - (a + b) + 0.8 * c * c - c * c * c))) u v lv
  in (u, f32.sum (map (\x -> f32.sum (map (** 2) x)) u) / f32.i64 (i64.max 1 (h * w)))
