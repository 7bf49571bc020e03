def spread (x: u32) : u32 =
  let x = x & 0x3ff let x = (x | (x << 16)) & 0x30000ff let x = (x | (x << 8)) & 0x300f00f let x = (x | (x << 4)) & 0x30c30c3 in (x | (x << 2)) & 0x9249249
entry main [n] (p: [n][3]f32) : ([n]u32, u32) =
  let lo = map f32.minimum (transpose p) let hi = map f32.maximum (transpose p)
  let c = map (\q -> let k i = spread (u32.f32 (1023*(q[i]-lo[i])/(hi[i]-lo[i]+1e-9))) in (k 0 << 2) | (k 1 << 1) | k 2) p
  in (c, reduce (^) 0 c)
