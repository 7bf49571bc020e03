entry main [n] (steps: i32) (a: [n]u8) : [n]u8 =
  let a = map (& 1) a
  in loop a for _i < steps do
     let l = rotate (-1) a let r = rotate 1 a
     in map3 (\l c r -> u8.i64 ((110 >> (4*i64.u8 l + 2*i64.u8 c + i64.u8 r)) & 1)) l a r
