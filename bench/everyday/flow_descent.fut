-- Optical flow by descent: the energy is a Charbonnier brightness term at smoothly interpolated samples plus smoothness; its gradient by reverse mode, heavy-ball steps.
def psi (s: f32) = f32.sqrt (s*s + 0.01)
def pick [h][w] (im: [h][w]f32) y x = im[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]

def energy [h][w] (alpha: f32) (a: [h][w]f32) (b: [h][w]f32) (u: [h][w]f32, v: [h][w]f32): f32 =
  let data y x =
    let (py, px) = (f32.i64 y + v[y, x], f32.i64 x + u[y, x])
    let (fy, fx) = (f32.floor py, f32.floor px)
    let (iy, ix) = (i64.f32 fy, i64.f32 fx)
    let ease t = t*t*(3 - 2*t)
    let (t, s) = (ease (py - fy), ease (px - fx))
    let value = (1-t) * ((1-s) * pick b iy ix + s * pick b iy (ix+1)) + t * ((1-s) * pick b (iy+1) ix + s * pick b (iy+1) (ix+1))
    in psi (value - a[y, x])
  let smooth (f: [h][w]f32) y x = let c = f[y, x] in (c - pick f (y+1) x)**2 + (c - pick f y (x+1))**2
  in f32.sum (map f32.sum (tabulate_2d h w (\y x -> data y x + alpha * (smooth u y x + smooth v y x))))

entry main [h][w] (steps: i64) (alpha: f32) (rate: f32) (a: [h][w]f32) (b: [h][w]f32): ([h][w]f32, [h][w]f32, [steps]f32) =
  let zero () = replicate h (replicate w 0.05f32)
  let rest () = replicate h (replicate w 0f32)
  let (u, v, _, _, log) =
    loop (u, v, mu, mv, log) = (zero (), zero (), rest (), rest (), replicate steps 0) for i < steps do
      let (gu, gv) = vjp (energy alpha a b) (u, v) 1
      let move = map2 (map2 (\m g -> 0.8*m - rate*g))
      let (mu, mv) = (move mu gu, move mv gv)
      in (map2 (map2 (+)) u mu, map2 (map2 (+)) v mv, mu, mv, log with [i] = f32.sum (map f32.sum (map (map f32.abs) gu)) / f32.i64 (h*w))
  in (u, v, log)
