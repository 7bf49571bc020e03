-- Wave equation, two time levels, damped at fixed borders, by rotations of the array.
entry main [h][w] (steps: i32) (c: f32) (now: [h][w]f32) (before: [h][w]f32) : [h][w]f32 =
  (loop (now, before) for _i < steps do
     let n = rotate (-1) now
     let s = rotate 1 now
     let e = map (rotate 1) now
     let o = map (rotate (-1)) now
     let next = map2 (\(n,s,e,o,a) b -> map2 (\(n,s,e,o,a) b -> 2*a - b + c*(n+s+e+o-4*a)) (zip5 n s e o a) b) (zip5 n s e o now) before
     in (next, now)).0
