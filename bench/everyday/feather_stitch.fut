-- Stitching of shifted pictures on a canvas: gains from the overlaps' means by Gauss-Seidel, then blending with feathered weights.
type place = {top: i64, left: i64}

def inside (h: i64) (w: i64) (p: place) (y: i64) (x: i64) : bool =
  y >= p.top && y < p.top + h && x >= p.left && x < p.left + w

-- Rises from the border of a picture to its middle.
def tent (n: i64) (i: i64) : f32 = f32.i64 (1 + i64.min i (n - 1 - i)) / f32.i64 (1 + n / 2)

-- Mean of picture a over its overlap with picture b, and the overlap's area.
def overlap [k] [h] [w] (imgs: [k][h][w]f32) (at: [k]place) (a: i64) (b: i64) : (f32, f32) =
  let (pa, pb) = (at[a], at[b])
  let cols =
    map2 (\i row ->
            f32.sum (map2 (\j v -> if inside h w pb (pa.top + i) (pa.left + j) then v else 0) (iota w) row))
         (iota h) imgs[a]
  let oh = i64.max 0 (i64.min (pa.top + h) (pb.top + h) - i64.max pa.top pb.top)
  let ow = i64.max 0 (i64.min (pa.left + w) (pb.left + w) - i64.max pa.left pb.left)
  let area = f32.i64 (oh * ow)
  in (f32.sum cols / f32.max 1 area, area)

-- minimise sum_ab area (g_a m_ab - g_b m_ba)^2 / s^2 + area (1 - g_a)^2 / t^2
def gains [k] (sweeps: i64) (mean: [k][k]f32) (area: [k][k]f32) : [k]f32 =
  let (s, t) = (100f32, 10f32)
  in loop g = replicate k 1f32 for _i < sweeps do
       loop g for a < k do
         let (num, den) =
           loop (num, den) = (0f32, 1e-3f32) for b < k do
             if a == b || area[a, b] == 0 then (num, den)
             else let n = area[a, b]
                  in (num + n * (s * mean[a, b] * mean[b, a] * g[b] + t),
                      den + n * (s * mean[a, b] * mean[a, b] + t))
         in g with [a] = if num == 0 then 1 else num / den

entry main [k] [h] [w] (ch: i64) (cw: i64) (where: [k][2]i32) (imgs: [k][h][w]f32)
    : ([ch][cw]f32, [k]f32, [ch][cw]u8, f32) =
  let at =
    map (\r -> {top = i64.i32 (r[0] & 0x7fffffff) % (ch - h + 1), left = i64.i32 (r[1] & 0x7fffffff) % (cw - w + 1)}) where
  let (mean, area) = unzip (map unzip (tabulate_2d k k (overlap imgs at)))
  let g = gains 10 mean area
  let blend y x =
    let (num, den, n) =
      loop (num, den, n) = (0f32, 0f32, 0u8) for a < k do
        let p = at[a]
        in if !(inside h w p y x) then (num, den, n)
           else let (i, j) = (y - p.top, x - p.left)
                let wt = tent h i * tent w j
                in (num + wt * g[a] * imgs[a, i, j], den + wt, n + 1)
    in (if n == 0 then 0 else num / den, n)
  let (canvas, cover) = unzip (map unzip (tabulate_2d ch cw blend))
  let covered = f32.sum (map (\r -> f32.sum (map (\c -> if c > 0 then 1 else 0) r)) cover)
  in (canvas, g, cover, covered / f32.i64 (ch * cw))
