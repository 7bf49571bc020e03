-- JPEG-like coder up to the bit count: RGB to YCbCr 4:2:0, 8x8 transform, quantise, zigzag, run lengths, bits per block.
def clampi (lo: i64) (hi: i64) (x: i64) = i64.max lo (i64.min hi x)

-- All in fixed point, so that the counts do not hang on rounding.
def ycc (p: [3]u8) : (i32, i32, i32) =
  let (r, g, b) = (i32.u8 p[0], i32.u8 p[1], i32.u8 p[2])
  in ( ((77 * r + 150 * g + 29 * b) >> 8) - 128
     , (-43 * r - 85 * g + 128 * b) >> 8
     , (128 * r - 107 * g - 21 * b) >> 8 )

def halve [h][w] (a: [h][w]i32) : [h/2][w/2]i32 =
  tabulate_2d (h / 2) (w / 2) (\i j ->
    (a[2*i, 2*j] + a[2*i+1, 2*j] + a[2*i, 2*j+1] + a[2*i+1, 2*j+1] + 2) >> 2)

def blocks [h][w] (a: [h][w]i32) : [(h + 7) / 8][(w + 7) / 8][8][8]i32 =
  tabulate_2d ((h + 7) / 8) ((w + 7) / 8) (\bi bj ->
    tabulate_2d 8 8 (\i j -> a[clampi 0 (h - 1) (8 * bi + i), clampi 0 (w - 1) (8 * bj + j)]))

def basis : [8][8]i32 =
  tabulate_2d 8 8 (\u x ->
    let s = if u == 0 then f32.sqrt 0.125 else 0.5
    in i32.f32 (f32.round (2048 * s * f32.cos ((2 * f32.i64 x + 1) * f32.i64 u * f32.pi / 16))))

def mm (a: [8][8]i32) (b: [8][8]i32) : [8][8]i32 =
  tabulate_2d 8 8 (\i j -> (loop s = 1024 for k < 8 do s + a[i, k] * b[k, j]) >> 11)

-- Position of the k-th coefficient along the diagonals.
def zigzag : [64]i64 =
  let key (p: i64) = let (i, j) = (p / 8, p % 8)
                     let d = i + j
                     in d * 8 + (if d % 2 == 0 then j else i)
  let rank p = i64.sum (map (\q -> i64.bool (key q < key p)) (iota 64))
  in scatter (replicate 64 0) (map rank (iota 64)) (iota 64)

def category (v: i32) = 32 - i32.clz (i32.abs v)

-- Bits of one block: cost of a nonzero after a run of zeros, and an end mark.
def block_bits (order: [64]i64) (quality: i32) (chroma: bool) (b: [8][8]i32) : i32 =
  let t = basis
  let c = mm (mm t b) (transpose t)
  let q (p: i64) : i32 =
    let step = quality * (if chroma then 17 + 6 * i32.i64 (p / 8 + p % 8) else 11 + 4 * i32.i64 (p / 8 + p % 8)) / 16
    in c[p / 8, p % 8] // step
  let (bits, run) =
    loop (bits, run) = (0, 0) for k < 64 do
      let v = q order[k]
      in if v == 0 then (bits, run + 1)
         else (bits + 2 * category v + 2 + 11 * (run / 16) + (run % 16) / 2, 0)
  in bits + (if run > 0 then 4 else 0)

entry main [h][w] (quality: i32) (img: [h][w][3]u8) =
  let smooth = map (map ycc) img
  let (y, cb, cr) = unzip3 (map unzip3 smooth)
  let order = zigzag
  let count chroma a = map (map (block_bits order quality chroma)) (blocks a)
  let (by, bb, br) = (count false y, count true (halve cb), count true (halve cr))
  let total [a][b] (x: [a][b]i32) = i64.sum (map (\r -> i64.i32 (i32.sum r)) x)
  in (total by + total bb + total br, by, bb, br)
