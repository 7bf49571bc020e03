-- Reverse-time migration in 2-D: forward wavefield with sponge borders, snapshots kept, back-propagated data on the surface, zero-lag correlation image.
def ricker (t: f32) : f32 = let a = (f32.pi * 0.12 * (t - 9)) ** 2 in (1 - 2*a) * f32.exp (-a)

def laplace4 [h][w] (u: [h][w]f32) (y: i64) (x: i64) : f32 =
  if y < 2 || x < 2 || y >= h-2 || x >= w-2 then 0
  else -5 * u[y,x] + 4f32/3 * (u[y-1,x] + u[y+1,x] + u[y,x-1] + u[y,x+1])
       - 1f32/12 * (u[y-2,x] + u[y+2,x] + u[y,x-2] + u[y,x+2])

def advance [h][w] (damp: [h][w]f32) (c2: [h][w]f32) (src: i64 -> i64 -> f32) (u: [h][w]f32) (um: [h][w]f32) : *[h][w]f32 =
  tabulate_2d h w (\y x ->
    let d = damp[y,x]
    in d * (2 * u[y,x] - d * um[y,x] + c2[y,x] * laplace4 u y x + src y x))

entry main [h][w][t] (every: i64) (vel: [h][w]f32) (data: [t][w]f32) : [h][w]f32 =
  let c2 = map (map (\v -> (0.25 + 0.2 * v) ** 2)) vel
  let edge n i = f32.i64 (i64.max 0 (12 - i64.min i (n-1-i)))
  let damp = tabulate_2d h w (\y x -> f32.exp (-((0.015 * (edge h y + edge w x)) ** 2)))
  let zero () = replicate h (replicate w 0f32)
  let nsnap = (t + every - 1) / every
  let snaps = replicate nsnap (zero ())
  let (_, _, snaps) = loop (u, um, snaps) = (zero (), zero (), snaps) for k < t do
    let src y x = if y == h/4 && x == w/2 then ricker (f32.i64 k) else 0
    let un = advance damp c2 src u um
    let snaps = if k % every == 0 then snaps with [k / every] = copy un else snaps
    in (un, u, snaps)
  let (_, _, image) = loop (q, qm, image) = (zero (), zero (), zero ()) for i < t do
    let k = t - 1 - i
    let rec y x = if y == h/8 then data[k,x] - 0.5 else 0
    let qn = advance damp c2 rec q qm
    let image = if k % every == 0 then map2 (map2 (+)) image (map2 (map2 (*)) snaps[k / every] qn) else image
    in (qn, q, image)
  in image
