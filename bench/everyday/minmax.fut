entry main [n] (x: [n]f32) : ([n]u8, f32, f32) =
  let (lo, hi) = reduce_comm (\(a,b) (c,d) -> (f32.min a c, f32.max b d)) (f32.inf, -f32.inf) (map (\v -> (v,v)) x)
  in (map (\v -> u8.f32 (255*(v-lo)/(hi-lo+1e-9))) x, lo, hi)
