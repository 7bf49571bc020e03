-- Voxel grid filter of a point cloud: voxel codes, radix sort with two bits a pass, segmented reduction to centroid, intensity range and count.
def radix_step [n] 't (digit: t -> u32) (xs: [n]t) : [n]t =
  let flags = map (\x -> let d = digit x in (i64.bool (d == 0), i64.bool (d == 1), i64.bool (d == 2), i64.bool (d == 3))) xs
  let add4 (a, b, c, d) (e, f, g, h) = (a + e, b + f, c + g, d + h) : (i64, i64, i64, i64)
  let pre = scan add4 (0, 0, 0, 0) flags
  let (t0, t1, t2, _) = if n > 0 then last pre else (0, 0, 0, 0)
  let dest x (a, b, c, e) =
    match digit x
    case 0 -> a - 1
    case 1 -> t0 + b - 1
    case 2 -> t0 + t1 + c - 1
    case _ -> t0 + t1 + t2 + e - 1
  in scatter (copy xs) (map2 dest xs pre) xs

def main [n] (bits: i32) (pts: [n][3]f32) (inten: [n]u8) =
  let b = i32.max 1 (i32.min 8 bits)
  let cells = f32.i32 (1 << b)
  let code p =
    let q v = u32.f32 (v * cells) & ((1 << u32.i32 b) - 1)
    in (q p[0] << u32.i32 (2 * b)) | (q p[1] << u32.i32 b) | q p[2]
  let keyed = zip (map code pts) (map i32.i64 (iota n))
  let sorted = loop s = keyed for k < (3 * b + 1) / 2 do
                 radix_step (\(c, _) -> (c >> u32.i32 (2 * k)) & 3) s
  let (codes, order) = unzip sorted
  let heads = tabulate n (\i -> i == 0 || codes[i] != codes[i - 1])
  let vals = map (\i -> let p = pts[i64.i32 i] let v = inten[i64.i32 i]
                        in (1i32, p[0], p[1], p[2], v, v)) order
  let op (h1, (n1, x1, y1, z1, a1, b1)) (h2, (n2, x2, y2, z2, a2, b2)) =
    if h2 then (true, (n2, x2, y2, z2, a2, b2))
    else (h1, (n1 + n2, x1 + x2, y1 + y2, z1 + z2, u8.min a1 a2, u8.max b1 b2))
  let sums = scan op (false, (0, 0, 0, 0, 255, 0)) (zip heads vals)
  let ends = filter (\i -> i == n - 1 || heads[i + 1]) (iota n)
  let finish i =
    let (k, x, y, z, a, c) = sums[i].1
    let s = 1 / f32.i32 k
    in (codes[i], x * s, y * s, z * s, c - a)
  let (vc, cx, cy, cz, range) = unzip5 (map finish ends)
  let counts = map (\i -> sums[i].1.0) ends
  in (vc, cx, cy, cz, range, counts)
