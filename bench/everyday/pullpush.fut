-- Scattered samples filled in by pull and push: weighted means up a pyramid of five levels (odd sizes too), holes filled from the coarser level on the way down; sum of weights per level.
type~ layer [h][w] = [h][w]{ v: f32, w: f32 }

def pull [h][w] (a: layer [h][w]): layer [(h+1)/2][(w+1)/2] =
  tabulate_2d ((h+1)/2) ((w+1)/2) (\y x ->
    let (s, t) = loop (s, t) = (0, 0) for k < 16 do
      let (j, i) = (2*y + k/4 - 1, 2*x + k%4 - 1)
      let tap q = if q == 0 || q == 3 then 1 else 3
      in if j < 0 || i < 0 || j >= h || i >= w then (s, t)
         else let m = tap (k/4) * tap (k%4) * a[j, i].w / 64 in (s + m * a[j, i].v, t + m)
    in { v = if t > 0 then s / t else 0.5, w = f32.min 1 (4*t) })

def push [h][w][ch][cw] (fine: layer [h][w]) (coarse: layer [ch][cw]): layer [h][w] =
  let lerp y x =
    let (fy, fx) = (f32.i64 (2*y - 1) / 4, f32.i64 (2*x - 1) / 4)
    let (iy, ix) = (f32.floor fy, f32.floor fx)
    let g dy dx = coarse[i64.max 0 (i64.min (ch-1) (i64.f32 iy + dy)), i64.max 0 (i64.min (cw-1) (i64.f32 ix + dx))].v
    let (ty, tx) = (fy - iy, fx - ix)
    in (1-ty)*((1-tx)*g 0 0 + tx*g 0 1) + ty*((1-tx)*g 1 0 + tx*g 1 1)
  in tabulate_2d h w (\y x -> let p = fine[y, x] in { v = p.w * p.v + (1 - p.w) * lerp y x, w = 1 })

entry main [h][w] (keep: i32) (mask: [h][w]u8) (img: [h][w]f32): ([h][w]f32, [5]f32) =
  let l0 = map2 (map2 (\m v -> { v, w = if i32.u8 m < keep then 1f32 else 0 })) mask img
  let l1 = pull l0
  let l2 = pull l1
  let l3 = pull l2
  let l4 = pull l3
  let filled = push l0 (push l1 (push l2 (push l3 l4)))
  let mass [a][b] (l: layer [a][b]) = f32.sum (map (.w) (flatten l)) / f32.i64 (a*b)
  in (map (map (.v)) filled, [mass l0, mass l1, mass l2, mass l3, mass l4])
