-- Asian options: paths by a counter-based generator, mean and deviation.
def hash (x: u32) = let x = (x ^ (x >> 16)) * 0x45d9f3b let x = (x ^ (x >> 16)) * 0x45d9f3b in x ^ (x >> 16)
def uniform (x: u32) = (f32.u32 (hash x >> 8) + 0.5) / 16777216
entry main (paths: i64) (steps: i64) : (f32, f32) =
  let one p = let (_, sum) = loop (s, sum) = (100f32, 0f32) for t < steps do
                let i = u32.i64 (p*steps+t) * 2
                let z = f32.sqrt (-2*f32.log (uniform i)) * f32.cos (6.2831853*uniform (i+1))
                let s = s * f32.exp (0.0001 + 0.01*z)
                in (s, sum + s)
              in f32.max 0 (sum / f32.i64 steps - 100)
  let (s, q) = reduce_comm (\(a,b) (c,d) -> (a+c,b+d)) (0,0) (map (\p -> let v = one p in (v, v*v)) (iota paths))
  let n = f32.i64 paths
  in (s/n, f32.sqrt (q/n - (s/n)*(s/n)))
