-- Fast approximate anti-aliasing: luma, local contrast, edge direction, sub-pixel blend and a blend across the edge, RGB in bytes.
def clamp lo hi x = i64.max lo (i64.min hi x)

entry main [h][w] (img: [h][w][3]u8) : [h][w][3]u8 =
  let luma = map (map (\p -> (2 * i32.u8 p[0] + 5 * i32.u8 p[1] + i32.u8 p[2]) / 8)) img
  let l i j = luma[clamp 0 (h - 1) i, clamp 0 (w - 1) j]
  let (range, sub) = unzip (map unzip (tabulate_2d h w (\i j ->
    let (c, n, s, e, o) = (l i j, l (i-1) j, l (i+1) j, l i (j+1), l i (j-1))
    let hi = i32.max c (i32.max (i32.max n s) (i32.max e o))
    let lo = i32.min c (i32.min (i32.min n s) (i32.min e o))
    let around = 2 * (n + s + e + o) + l (i-1) (j-1) + l (i-1) (j+1) + l (i+1) (j-1) + l (i+1) (j+1)
    let r = hi - lo
    let d = if r == 0 then 0 else i32.min 256 (256 * i32.abs (around / 12 - c) / r)
    in (if r < i32.max 8 (hi / 8) then 0 else r, d))))
  let dir = tabulate_2d h w (\i j ->
    let v = i32.abs (l (i-1) j + l (i+1) j - 2 * l i j)
    let u = i32.abs (l i (j-1) + l i (j+1) - 2 * l i j)
    in if v >= u
       then (if i32.abs (l (i-1) j - l i j) >= i32.abs (l (i+1) j - l i j) then (-1, 0) else (1, 0))
       else (if i32.abs (l i (j-1) - l i j) >= i32.abs (l i (j+1) - l i j) then (0, -1) else (0, 1i64)))
  in tabulate_3d h w 3 (\i j k ->
       let r = range[i, j]
       let a = if r == 0 then 0 else sub[i, j] * 3 / 4
       let (di, dj) = dir[i, j]
       let q = img[clamp 0 (h - 1) (i + di), clamp 0 (w - 1) (j + dj), k]
       in u8.i32 ((i32.u8 img[i, j, k] * (256 - a) + i32.u8 q * a) / 256))
