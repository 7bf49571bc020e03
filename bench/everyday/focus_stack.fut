-- Focus stacking: Laplacian energy of each frame, smoothed into soft weights, three pyramid levels fused and collapsed.
def at [h][w] (a: [h][w]f32) (i: i64) (j: i64) : f32 =
  a[i64.max 0 (i64.min (h - 1) i), i64.max 0 (i64.min (w - 1) j)]

def tap (k: i64) : f32 = if k == 0 then 0.375 else if k == 1 || k == -1 then 0.25 else 0.0625

def blur [h][w] (a: [h][w]f32) : [h][w]f32 =
  let side = tabulate_2d h w (\i j -> loop s = 0 for k < 5 do s + tap (k - 2) * at a i (j + k - 2))
  in tabulate_2d h w (\i j -> loop s = 0 for k < 5 do s + tap (k - 2) * at side (i + k - 2) j)

def down [h][w] (a: [h][w]f32) : [(h + 1) / 2][(w + 1) / 2]f32 =
  let b = blur a
  in tabulate_2d ((h + 1) / 2) ((w + 1) / 2) (\i j -> b[2 * i, 2 * j])

-- Bilinear doubling to a given size.
def up [p][q] (h: i64) (w: i64) (a: [p][q]f32) : [h][w]f32 =
  tabulate_2d h w (\i j ->
    let (i0, j0) = (i / 2, j / 2)
    let (fi, fj) = (0.5 * f32.i64 (i % 2), 0.5 * f32.i64 (j % 2))
    let top = (1 - fj) * at a i0 j0 + fj * at a i0 (j0 + 1)
    let low = (1 - fj) * at a (i0 + 1) j0 + fj * at a (i0 + 1) (j0 + 1)
    in (1 - fi) * top + fi * low)

def energy [h][w] (a: [h][w]f32) : [h][w]f32 =
  blur (tabulate_2d h w (\i j ->
    let l = 4 * a[i, j] - at a (i - 1) j - at a (i + 1) j - at a i (j - 1) - at a i (j + 1)
    in l * l + 1e-4))

def sub [h][w] (a: [h][w]f32) (b: [h][w]f32) = map2 (map2 (-)) a b
def add [h][w] (a: [h][w]f32) (b: [h][w]f32) = map2 (map2 (+)) a b

def fuse [n][h][w] (weights: [n][h][w]f32) (xs: [n][h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\i j ->
    let (num, den) = loop (num, den) = (0, 1e-9) for k < n do
                       (num + weights[k, i, j] * xs[k, i, j], den + weights[k, i, j])
    in num / den)

entry main [n][h][w] (sharp: f32) (frames: [n][h][w]u8) : ([h][w]f32, [h][w]f32) =
  let xs = map (map (map (\b -> f32.u8 b / 255))) frames
  let w0 = map energy xs |> map (map (map (\e -> e ** sharp)))
  let (x1, w1) = (map down xs, map down w0)
  let (x2, w2) = (map down x1, map down w1)
  let l0 = map2 (\a b -> sub a (up h w b)) xs x1
  let l1 = map2 (\a b -> sub a (up ((h + 1) / 2) ((w + 1) / 2) b)) x1 x2
  let f1 = add (fuse w1 l1) (up ((h + 1) / 2) ((w + 1) / 2) (fuse w2 x2))
  let f0 = add (fuse w0 l0) (up h w f1)
  let depth = fuse w0 (map (\k -> replicate h (replicate w (f32.i64 k / f32.i64 n))) (iota n))
  in (map (map (\v -> f32.max 0 (f32.min 1 v))) f0, depth)
