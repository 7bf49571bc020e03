-- One-dimensional FDTD through a Drude medium whose plasma frequency varies, driven at the left end.
entry main [n] (steps: i64) (plasma: [n]f32) (e0: [n]f32) : ([n]f32, [n]f32) =
  let c = 0.5f32
  let gamma = 0.05f32
  let e0 = map (\e -> 0.01 * (e - 0.5)) e0
  let (e, h, _) =
    loop (e, h, j) = (e0, replicate n 0, replicate n 0) for t < steps do
      let h = map (\i -> if i == n - 1 then 0 else h[i] + c * (e[i + 1] - e[i])) (iota n)
      let j = map3 (\j e p -> (1 - gamma) * j + 0.1 * p * e) j e plasma
      let drive = f32.sin (0.2 * f32.i64 t)
      let e = map (\i -> if i == 0 then drive else e[i] + c * (h[i] - h[i - 1]) - c * j[i]) (iota n)
      in (e, h, j)
  in (e, h)
