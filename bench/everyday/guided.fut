-- Guided filter (He et al.): local means by box windows of radius 4, in separable sums.
def r = 4i64
def box_rows [h][w] (a: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> f32.sum (tabulate (2*r+1) (\k -> a[y, i64.max 0 (i64.min (w-1) (x+k-r))])))
def box [h][w] (a: [h][w]f32) : [h][w]f32 =
  let b = box_rows a
  in tabulate_2d h w (\y x -> f32.sum (tabulate (2*r+1) (\k -> b[i64.max 0 (i64.min (h-1) (y+k-r)), x])) / f32.i64 ((2*r+1)*(2*r+1)))
entry main [h][w] (eps: f32) (guide: [h][w]f32) (p: [h][w]f32) : [h][w]f32 =
  let mi = box guide
  let mp = box p
  let mip = box (map2 (map2 (*)) guide p)
  let mii = box (map (map (\x -> x*x)) guide)
  let cov = map3 (map3 (\a b c -> a - b*c)) mip mi mp
  let var = map2 (map2 (\a b -> a - b*b)) mii mi
  let a = map2 (map2 (\c v -> c / (v + eps))) cov var
  let b = map3 (map3 (\m a i -> m - a*i)) mp a mi
  let ma = box a
  let mb = box b
  in map3 (map3 (\a b i -> a*i + b)) ma mb guide
