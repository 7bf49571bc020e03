-- BC1-like texture compression: 4x4 blocks to two 5:6:5 end colours and two bits a pixel, with the squared error.
type colour = {r: i32, g: i32, b: i32}

def pack (c: colour) : u16 = u16.i32 ((c.r >> 3) << 11 | (c.g >> 2) << 5 | (c.b >> 3))

def unpack (p: u16) : colour =
  let v = i32.u16 p
  let (r, g, b) = (v >> 11, (v >> 5) & 63, v & 31)
  in {r = r << 3 | r >> 2, g = g << 2 | g >> 4, b = b << 3 | b >> 2}

def mixed (p: i32) (q: i32) (a: colour) (b: colour) : colour =
  {r = (p * a.r + q * b.r) / 3, g = (p * a.g + q * b.g) / 3, b = (p * a.b + q * b.b) / 3}

def dist (a: colour) (b: colour) : i32 =
  let sq x = x * x
  in sq (a.r - b.r) + sq (a.g - b.g) + sq (a.b - b.b)

def zip_colour (f: i32 -> i32 -> i32) (a: colour) (b: colour) : colour =
  {r = f a.r b.r, g = f a.g b.g, b = f a.b b.b}

def encode (px: [16]colour) : (u16, u16, u32, i32) =
  let hi = pack (reduce (zip_colour i32.max) {r = 0, g = 0, b = 0} px)
  let lo = pack (reduce (zip_colour i32.min) {r = 255, g = 255, b = 255} px)
  let (a, b) = (unpack hi, unpack lo)
  let palette = [a, b, mixed 2 1 a b, mixed 1 2 a b]
  let (bits, err) =
    loop (bits, err) = (0u32, 0) for i < 16 do
      let (k, d) = loop (k, d) = (0u32, dist px[i] palette[0]) for j in 1..<4 do
                     let e = dist px[i] palette[j]
                     in if e < d then (u32.i64 j, e) else (k, d)
      in (bits | k << (2 * u32.i64 i), err + d)
  in (hi, lo, bits, err)

entry main [h] [w] (img: [h][w][3]u8) : ([][]u16, [][]u16, [][]u32, i64) =
  let block by bx =
    encode (tabulate 16 (\i -> let p = img[4 * by + i / 4, 4 * bx + i % 4]
                               in {r = i32.u8 p[0], g = i32.u8 p[1], b = i32.u8 p[2]}))
  let coded = tabulate_2d (h / 4) (w / 4) block
  in (map (map (.0)) coded, map (map (.1)) coded, map (map (.2)) coded,
      i64.sum (flatten (map (map (\c -> i64.i32 c.3)) coded)))
