-- A pyramid of eight levels of 512x512 pixels, whose filter is one of Hipacc's synthetic ones (Qiao's thesis, table 4.3): a sum of what is computed of
-- each pixel of a window of SIZExSIZE. `prepare` puts in SIZE and OF_PIXEL.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

-- As Burt and Adelson: a low pass and every other pixel.
def reduced [h] [w] (f: [h][w]f32) : [(h + 1) / 2][(w + 1) / 2]f32 =
  let five at : f32 = (at (-2) + at (-1) * 4 + at 0 * 6 + at 1 * 4 + at 2) * 0.0625
  in tabulate_2d ((h + 1) / 2) ((w + 1) / 2) (\y x ->
       five (\dy -> five (\dx -> f[clamp h (2 * y + dy), clamp w (2 * x + dx)])))

def expanded [n] [m] (h: i64) (w: i64) (f: [n][m]f32) : [h][w]f32 =
  let between i at : f32 =
    let (before, here, after) = if i % 2 == 0 then (0.125, 0.75, 0.125) else (0, 0.5, 0.5)
    in at (i / 2 - 1) * before + at (i / 2) * here + at (i / 2 + 1) * after
  in tabulate_2d h w (\y x -> between y (\j -> between x (\i -> f[clamp n j, clamp m i])))

def of_pixel (v: f32) : f32 = OF_PIXEL

def filtered [h] [w] (f: [h][w]f32) : [h][w]f32 =
  let size = SIZEi64
  in tabulate_2d h w (\y x ->
       (loop sum = 0 for k < size * size do
          sum + of_pixel f[clamp h (y + k / size - size / 2), clamp w (x + k % size - size / 2)])
       / f32.i64 (size * size))

def collapsed [h] [w] [n] [m] (f: [h][w]f32) (coarse: [n][m]f32) : [h][w]f32 =
  map2 (map2 (+)) f (expanded h w coarse)

entry picture (n: i64) : [n][n]f32 = tabulate_2d n n (\y x -> f32.i64 ((y * 31 + x * 7919) % 1009) / 1009)

def pyramid [h] [w] (p0: [h][w]f32) : [h][w]f32 =
  let f0 = filtered p0
  let p1 = reduced p0
  let f1 = filtered p1
  let p2 = reduced p1
  let f2 = filtered p2
  let p3 = reduced p2
  let f3 = filtered p3
  let p4 = reduced p3
  let f4 = filtered p4
  let p5 = reduced p4
  let f5 = filtered p5
  let p6 = reduced p5
  let f6 = filtered p6
  let p7 = reduced p6
  let f7 = filtered p7
  in collapsed f0 (collapsed f1 (collapsed f2 (collapsed f3 (collapsed f4 (collapsed f5 (collapsed f6 f7))))))

-- 512x512 pixels of 2048x2048, which is what models take for sizes that only the run will tell; so often that launching takes no part of the time.
entry main [n] (rounds: i32) (picture: [n][n]f32) : [n / 4][n / 4]f32 =
  loop p = tabulate_2d (n / 4) (n / 4) (\y x -> picture[4 * y, 4 * x]) for _i < rounds do pyramid p
