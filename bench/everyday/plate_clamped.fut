-- Vibrating plate with clamped edges: 13-point biharmonic operator with reflected ghost cells, damping, a moving hammer, bending energy at every eighth step.
def ghost [h][w] (u: [h][w]f32) (y: i64) (x: i64) : f32 =
  let fold n i = if i < 0 then -1 - i else if i >= n then 2*n - 1 - i else i
  let (j, i) = (fold h y, fold w x)
  in if j < 0 || i < 0 || j >= h || i >= w then 0 else u[j,i]

def bilap [h][w] (u: [h][w]f32) (y: i64) (x: i64) : f32 =
  let g = ghost u
  in 20 * g y x
     - 8 * (g (y-1) x + g (y+1) x + g y (x-1) + g y (x+1))
     + 2 * (g (y-1) (x-1) + g (y-1) (x+1) + g (y+1) (x-1) + g (y+1) (x+1))
     + g (y-2) x + g (y+2) x + g y (x-2) + g y (x+2)

entry main [h][w] (blocks: i64) (k: f32) (init: [h][w]f32) : ([h][w]f32, []f32) =
  let clamped y x = y == 0 || x == 0 || y == h-1 || x == w-1
  let u0 = tabulate_2d h w (\y x -> if clamped y x then 0 else 0.01 * (init[y,x] - 0.5))
  let one t (u: [h][w]f32, um: [h][w]f32) =
    let (hy, hx) = ((t * 7) % h, (t * 5) % w)
    let un = tabulate_2d h w (\y x ->
      if clamped y x then 0
      else let f = if y == hy && x == hx then 0.1 else 0
           in 1.998 * u[y,x] - 0.998 * um[y,x] - k * bilap u y x + f)
    in (un, u)
  let ((u, _), es) = loop (s, es) = ((u0, copy u0), replicate blocks 0) for b < blocks do
    let (u, um) = loop s for i < 8 do one (8*b + i) s
    let e = f32.sum (flatten (tabulate_2d h w (\y x -> 0.5 * (u[y,x] - um[y,x])**2 + 0.5 * k * u[y,x] * bilap u y x)))
    in ((u, um), es with [b] = e)
  in (u, es)
