-- Rolling regression of each asset's returns on the market's (pandas rolling cov / var): beta, alpha and R squared by prefix sums in double precision.
def prefix [t] (xs: [t]f64) : [t + 1]f64 =
  let s = scan (+) 0 xs
  in tabulate (t + 1) (\i -> if i == 0 then 0 else s[i - 1])

def window [t] (w: i64) (p: [t]f64) (i: i64) : f64 = p[i + w] - p[i]

type fit = {beta: f32, alpha: f32, r2: f32}

entry main [a] [t] (w: i64) (market: [t]f32) (assets: [a][t]f32) : ([a][]f32, [a][]f32, [a][]f32, [a]f32) =
  let m = map (\x -> f64.f32 x - 0.5) market
  let n = t - w + 1
  let pm = prefix m
  let pmm = prefix (map2 (*) m m)
  let fits =
    map (\asset ->
           let x = map (\x -> f64.f32 x - 0.5) asset
           let px = prefix x
           let pxx = prefix (map2 (*) x x)
           let pxm = prefix (map2 (*) x m)
           in tabulate n (\i ->
                let k = f64.i64 w
                let sm = window w pm i
                let sx = window w px i
                let vm = window w pmm i - sm * sm / k + 1e-3
                let vx = window w pxx i - sx * sx / k + 1e-3
                let cov = window w pxm i - sx * sm / k
                let beta = cov / vm
                in {beta = f32.f64 beta, alpha = f32.f64 ((sx - beta * sm) / k), r2 = f32.f64 (cov * cov / (vm * vx))}))
        assets
  let betas = map (map (.beta)) fits
  in (betas, map (map (.alpha)) fits, map (map (.r2)) fits,
      map (\r -> f32.sum r / f32.i64 n) betas)
