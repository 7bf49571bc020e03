-- Signed distances, marched, with normals and light.
type v = (f32, f32, f32)
def add (a: v) (b: v) : v = (a.0+b.0, a.1+b.1, a.2+b.2)
def mul (s: f32) (a: v) : v = (s*a.0, s*a.1, s*a.2)
def len (a: v) = f32.sqrt (a.0*a.0+a.1*a.1+a.2*a.2)
def sdf (p: v) : f32 =
  let m (t: f32) = t - 4*f32.floor (t/4) - 2
  let q = (m p.0, m p.1, p.2 - 6)
  in f32.min (len q - 0.8) (p.1 + 1.5)
entry main (h: i64) (w: i64) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let d = (f32.i64 x/f32.i64 w-0.5, 0.5-f32.i64 y/f32.i64 h, 1)
    let d = mul (1/len d) d
    let (t, _) = loop (t, i) = (0, 0i32) while i < 80 && t < 40 do
      let s = sdf (mul t d) in if s < 1e-3 then (t, 80) else (t+s, i+1)
    in if t >= 40 then 0 else
       let p = mul t d let e = 1e-3
       let n = (sdf (add p (e,0,0)) - sdf (add p (-e,0,0)), sdf (add p (0,e,0)) - sdf (add p (0,-e,0)), sdf (add p (0,0,e)) - sdf (add p (0,0,-e)))
       let n = mul (1/(len n + 1e-9)) n
       in f32.max 0.1 (n.0*0.5 + n.1*0.7 - n.2*0.5))
