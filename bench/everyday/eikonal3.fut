-- Travel times in a volume: Godunov's update of the eikonal equation from a few sources, by Jacobi sweeps until nothing changes much.
def far: f32 = 1e4

-- the solution of sum (max 0 (u - m))^2 = s^2 with a <= b <= c
def solve (m0: f32) (m1: f32) (m2: f32) (s: f32): f32 =
  let lo = f32.min m0 (f32.min m1 m2)
  let hi = f32.max m0 (f32.max m1 m2)
  let mid = f32.max (f32.min m0 m1) (f32.min (f32.max m0 m1) m2)
  let u1 = lo + s
  in if u1 <= mid then u1
     else let u2 = 0.5 * (lo + mid + f32.sqrt (f32.max 0 (2*s*s - (lo-mid)*(lo-mid))))
          in if u2 <= hi then u2
             else let sum = lo + mid + hi
                  let sq = lo*lo + mid*mid + hi*hi
                  in (sum + f32.sqrt (f32.max 0 (sum*sum - 3*(sq - s*s)))) / 3

entry main [d][h][w] (tol: f32) (cap: i32) (slow: [d][h][w]f32): ([d][h][w]f32, f32) =
  let source z y x = (z == d/2 && y == h/2 && x == w/2) || (z == 1 && y == 2 && x == 3)
  let start = tabulate_3d d h w (\z y x -> if source z y x then 0 else far)
  let (u, _, _) =
    loop (u, change, i) = (start, far, 0) while change > tol && i < cap do
      let at z y x = if z < 0 || y < 0 || x < 0 || z >= d || y >= h || x >= w then far else u[z,y,x]
      let next = tabulate_3d d h w (\z y x ->
        let a = f32.min (at (z-1) y x) (at (z+1) y x)
        let b = f32.min (at z (y-1) x) (at z (y+1) x)
        let c = f32.min (at z y (x-1)) (at z y (x+1))
        in f32.min u[z,y,x] (solve a b c (0.5 + slow[z,y,x])))
      let change = f32.maximum (flatten_3d (map2 (map2 (map2 (\a b -> a - b))) u next))
      in (next, change, i + 1)
  in (u, f32.sum (map f32.sum (map (map f32.sum) u)) / f32.i64 (d*h*w))
