-- A Heston model by Monte Carlo, a path a thread.
def rand (s: u32) : u32 = let s = s ^ (s << 13) let s = s ^ (s >> 17) in s ^ (s << 5)
def main (n: i64) (steps: i32) (s0: f32) (k: f32) : f32 =
  let path i =
    let u = u32.i64 i * 2654435761 + 12345
    let (_, s, _) = loop (r, s, v) = (u, s0 * 100, 0.04f32) for _j < steps do
      let r1 = rand r let r2 = rand r1
      let a = (f32.u32 r1 + 1) / 4294967297 let b = f32.u32 r2 / 4294967296
      let m = f32.sqrt (-2 * f32.log a)
      let z1 = m * f32.cos (6.2831853*b) let z2 = m * f32.sin (6.2831853*b)
      let vp = f32.max 0 v
      let dt = 1f32 / 100
      in (r2, s * f32.exp ((0.01 - 0.5*vp)*dt + f32.sqrt (vp*dt)*z1), v + 1.5*(0.04 - vp)*dt + 0.3*f32.sqrt (vp*dt)*(-0.7*z1 + 0.714*z2))
    in f32.max 0 (s - k * 100)
  in f32.sum (map path (iota n)) / f32.i64 n
