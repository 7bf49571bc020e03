-- Written in the style of a library, which library/modules is.
open import "library/modules"

entry rolling_median_f32 [n] (xs: [n]f32) (k: i64) : []f32 =
  let k = clampi 1 n k
  in map (\w -> let s = bubble (<=) (copy w) in 0.5 * (s[(k - 1) / 2] + s[k / 2]))
         (windows k xs)

-- A chain of five reacting species, ring of rates.
entry ode_chain_f32 [n] (rates: [n][5]f32) (y0: [n][5]f32) (steps: i64) (h: f32) : [n][5]f32 =
  let rhs (k: [5]f32) (t: f32) (y: [five.n]f32) : [five.n]f32 =
    tabulate five.n (\i -> let prev = (i + 4) % 5
                           in k[prev] * y[prev] / (1 + y[prev]) - k[i] * y[i] / (1 + y[i])
                              + 0.01 * f32.sin t)
  in map2 (\k y -> rk_five32.rk4 (rhs k) h steps (y :> [five.n]f32) :> [5]f32) rates y0

-- Welch periodograms of each row: half-overlapping Hann windows of 64.
entry welch_psd_f64 [b][n] (xs: [b][n]f64) : [b][33]f64 =
  let nseg = i64.max 1 (n / 32 - 1)
  let hann i = 0.5 - 0.5 * f64.cos (2 * f64.pi * f64.i64 i / 64)
  let seg (x: [n]f64) (s: i64) : [33]f64 =
    let xs = tabulate 64 (\i -> let p = s * 32 + i
                                in c64.mk (if p < n then x[p] * hann i else 0) 0)
    let spec = fft64.forward xs
    in tabulate 33 (\k -> c64.norm2 spec[k])
  in map (\x -> tabulate nseg (seg x)
                |> reduce (map2 (+)) (replicate 33 0)
                |> map (/ f64.i64 nseg))
         xs

entry kalman_cv_f32 [b][n] (zs: [b][n][2]f32) (q: f32) (r: f32) : ([b][4]f32, [b]f32) =
  unzip (map (kalman32.filter 0.1 q r) zs)

entry tree_fit_two_impurities [n][f] (x: [n][f]u8) (y: [n]bool) (depth: i64) (bins: i64)
  : ([]i64, []i64, []i32, i64) =
  let y = map2 (\r b -> if r[0] > 90 && r[f - 1] < 160 then true else b && r[f / 2] > 128) x y
  let (leaf, fs, ts) = gini_tree.grow depth bins x y
  let (leaf2, _, _) = sqrt_tree.grow depth bins x y
  let counts = hist (+) 0i32 (1 << depth) leaf (map i32.bool y)
  in (fs, ts, counts, i64.sum (map2 (\a b -> i64.bool (a == b)) leaf leaf2))

entry bottleneck_closure_i32 [n] (cap: [n][n]i32) : [n][n]i32 =
  graph_bottleneck.closure cap

entry sdf_volume_render_f32 [n] (w: i64) (h: i64) (params: [n][7]f32) (steps: i64) : ([h][w]f32, [h][w]f32) =
  let mk (i: i64) (p: [7]f32) : shape =
    let c = v3f.of_arr [p[0], p[1], p[2]]
    in if i % 4 == 0 then #sphere c (0.2 + f32.abs p[3])
       else if i % 4 == 1 then #box c {x = 0.1 + f32.abs p[3], y = 0.1 + f32.abs p[4], z = 0.1 + f32.abs p[5]}
       else if i % 4 == 2 then #torus c (0.3 + f32.abs p[3]) (0.1 + 0.2 * f32.abs p[6])
       else #plane (-1.5 + 0.1 * p[0])
  let ss = map2 mk (iota n) params
  let px y x =
    let d : v3f.v = {x = (f32.i64 x + 0.5) / f32.i64 w - 0.5, y = 0.5 - (f32.i64 y + 0.5) / f32.i64 h, z = 1}
    in sdf.march ss steps {x = 0, y = 0, z = -3} (v3f.scale (1 / v3f.norm d) d)
  in unzip (map unzip (tabulate_2d h w px))

entry mandelbrot_two_precisions (w: i64) (h: i64) (limit: i32) : ([h][w]i32, [h][w]i32, i64) =
  let escape add sub mul (four: i64) (cx: i64) (cy: i64) : i32 =
    let (_, _, k) =
      loop (x, y, k) = (0i64, 0i64, 0i32)
      while k < limit && add (mul x x) (mul y y) < four do
        let xy = mul x y
        in (add (sub (mul x x) (mul y y)) cx, add (add xy xy) cy, k + 1)
    in k
  let a = tabulate_2d h w (\i j -> escape fix20.add fix20.sub fix20.mul (fix20.of_i64 4)
                                          (fix20.ratio (3 * j - 2 * w) w) (fix20.ratio (2 * i - h) h))
  let b = tabulate_2d h w (\i j -> escape fix12.add fix12.sub fix12.mul (fix12.of_i64 4)
                                          (fix12.ratio (3 * j - 2 * w) w) (fix12.ratio (2 * i - h) h))
  in (a, b, i64.sum (map2 (\p q -> i64.bool (p != q)) (flatten a) (flatten b)))

-- Tensor Gauss rules over rectangles, with the transform of a triangle.
entry quad_gauss_triangles_f32 [n] (corners: [n][6]f32) (order: i64) : ([n]f32, [order]f32) =
  let (xs, ws) = unzip (map2 (\x w -> (f32.f64 x, f32.f64 w)) (quad64.gauss order).0 (quad64.gauss order).1)
  let tri (c: [6]f32) =
    let jac = f32.abs ((c[2] - c[0]) * (c[5] - c[1]) - (c[4] - c[0]) * (c[3] - c[1]))
    let at u v =
      let (x, y) = (c[0] + u * (c[2] - c[0]) + u * v * (c[4] - c[2]),
                    c[1] + u * (c[3] - c[1]) + u * v * (c[5] - c[3]))
      in u * f32.exp (-x * x) * f32.cos y
    in jac * f32.sum (map2 (\x w -> 0.25 * w * f32.sum (map2 (\y q -> q * at (0.5 + 0.5 * x) (0.5 + 0.5 * y)) xs ws)) xs ws)
  in (map tri corners, ws)

entry cellular_three_rules [h][w] (seed: [h][w]u8) (steps: i64) : ([h][w]bool, [h][w]u8, [h][w]i16) =
  let a = highlife.run steps (map (map (\s -> s % 3 == 0)) seed)
  let w0 : [h][w]wire =
    map (map (\s -> if s < 60 then #empty else if s < 80 then #head else if s < 100 then #tail else #wire)) seed
  let b = wireworld.run steps w0
  let code (c: wire) : u8 = match c case #empty -> 0 case #head -> 1 case #tail -> 2 case #wire -> 3
  let c = forest.run steps (map (map i16.u8) seed)
  in (a, map (map code) b, c)
