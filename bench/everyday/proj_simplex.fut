-- Projects each row on the probability simplex by bisection of the threshold, and on the l1 ball of a radius.
def bisect (steps: i32) (f: f64 -> f64) (lo: f64) (hi: f64) : f64 =
  let (lo, hi) =
    loop (lo, hi) for _i < steps do
      let mid = 0.5 * (lo + hi)
      in if f mid > 0 then (mid, hi) else (lo, mid)
  in 0.5 * (lo + hi)

def project [m] (radius: f64) (xs: [m]f64) : [m]f64 =
  let top = f64.maximum xs
  let excess t = f64.sum (map (\x -> f64.max 0 (x - t)) xs) - radius
  let t = bisect 40 excess (top - radius) top
  in map (\x -> f64.max 0 (x - t)) xs

entry main [n] [m] (radius: f64) (xs: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  let centred = map (map (\x -> 4 * x - 2)) xs
  let on_simplex = map (project 1) centred
  let ball row =
    let l1 = f64.sum (map f64.abs row)
    in if l1 <= radius then row
       else map2 (\x p -> f64.sgn x * p) row (project radius (map f64.abs row))
  in (on_simplex, map ball centred)
