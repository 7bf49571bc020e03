-- Order independent transparency: fragments sorted by pixel and depth (radix sort, 4 bits a pass), segmented `over`, resolved into the picture.
type rgba = (f32, f32, f32, f32)   -- premultiplied
def over ((r1, g1, b1, a1): rgba) ((r2, g2, b2, a2): rgba) : rgba =
  let t = 1 - a1
  in (r1 + t * r2, g1 + t * g2, b1 + t * b2, a1 + t * a2)

-- blocks of fragments count their digits, then each block places its own
def pass [n] (shift: u32) (xs: [n](u32, u32)) : [n](u32, u32) =
  let blk = 256i64
  let nb = (n + blk - 1) / blk
  let dig (k: u32, _: u32) = i64.u32 ((k >> shift) & 15)
  let counts = tabulate nb (\b ->
    loop c = replicate 16 0i32 for i in (b * blk) ..< (i64.min n ((b + 1) * blk)) do
      let d = dig xs[i]
      in c with [d] = c[d] + 1)
  let byd = flatten (transpose counts)
  let base = map2 (-) (scan (+) 0 byd) byd
  let bases = transpose (unflatten base)
  let places = map2 (\b at0 ->
    let (_, p) = loop (at, p) = (copy at0, replicate blk (-1i64)) for i < blk do
                   if b * blk + i >= n then (at, p)
                   else let d = dig xs[b * blk + i]
                        let v = at[d]
                        in (at with [d] = v + 1, p with [i] = i64.i32 v)
    in p) (iota nb) bases
  let dest = flatten places
  let src = tabulate (nb * blk) (\i -> if i < n then xs[i] else (0, 0))
  in scatter (replicate n (0, 0)) dest src

def main [n] (h: i64) (w: i64) (pix: [n]u32) (depth: [n]u8) (col: [n]u32) =
  let area = h * w
  let bits = loop b = 0 while (1 << b) < area do b + 1
  let frags = map3 (\p d c -> ((u32.i64 (i64.u32 p % area) << 8) | u32.u8 d, c)) pix depth col
  let sorted = loop f = frags for k < (bits + 8 + 3) / 4 do pass (u32.i64 (4 * k)) f
  let pid = map (\(k, _) -> i64.u32 (k >> 8)) sorted
  let paint (c: u32) : rgba =
    let ch s = f32.u32 ((c >> s) & 255) / 255
    let a = 0.05 + 0.6 * ch 24
    in (ch 0 * a, ch 8 * a, ch 16 * a, a)
  let head = tabulate n (\i -> i == 0 || pid[i] != pid[i - 1])
  let acc = scan (\(f, p) (g, q) -> if g then (g, q) else (f, over p q)) (false, (0, 0, 0, 0))
                 (zip head (map (\(_, c) -> paint c) sorted))
  let dest = tabulate n (\i -> if i == n - 1 || head[i + 1] then pid[i] else -1)
  let layers = scatter (replicate area (0, 0, 0, 0)) dest (map (.1) acc)
  let back y x = if (x / 8 + y / 8) % 2 == 0 then 0.4f32 else 0.6
  in tabulate_3d h w 3 (\y x c ->
       let (r, g, b, a) = layers[y * w + x]
       let v = if c == 0 then r else if c == 1 then g else b
       in f32.min 1 (v + (1 - a) * back y x))
