-- Densities of particles by all pairs within a radius.
entry main [n] (h: f32) (x: [n]f32) (y: [n]f32) (z: [n]f32) : [n]f32 =
  map3 (\px py pz -> f32.sum (map3 (\qx qy qz ->
    let d2 = (px-qx)*(px-qx)+(py-qy)*(py-qy)+(pz-qz)*(pz-qz)
    in if d2 < h*h then (h*h-d2)*(h*h-d2)*(h*h-d2) else 0) x y z)) x y z
