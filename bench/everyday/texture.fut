-- Texture features of tiles: histogram of uniform local binary patterns, and contrast, energy and homogeneity of a co-occurrence matrix of 8 grey levels.
def at [h][w] (img: [h][w]u8) (y: i64) (x: i64): u8 =
  img[i64.min (h - 1) (i64.max 0 y), i64.min (w - 1) (i64.max 0 x)]

def ring: [8](i64, i64) = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]

def lbp [h][w] (img: [h][w]u8) (y: i64) (x: i64): u32 =
  loop code = 0 for k < 8 do
    let (dy, dx) = ring[k]
    in code | (u32.bool (at img (y + dy) (x + dx) >= img[y, x]) << u32.i64 k)

-- Ten classes: the number of ones of a code with at most two changes round the ring, or 9.
def uniform_class (code: u32): i64 =
  let rotated = ((code << 1) | (code >> 7)) & 255
  in if u32.popc (code ^ rotated) <= 2 then i64.i32 (u32.popc code) else 9

def table: [256]i64 = tabulate 256 (\i -> uniform_class (u32.i64 i))

entry main [h][w] (t: i64) (img: [h][w]u8): ([h / t][w / t][10]i32, [h / t][w / t][3]f32) =
  let classes = tabulate_2d h w (\y x -> table[i64.u32 (lbp img y x)])
  let patterns =
    tabulate_2d (h / t) (w / t) (\i j ->
      let cell = flatten classes[i * t:i * t + t, j * t:j * t + t]
      in hist (+) 0i32 10 cell (map (const 1) cell))
  let levels = map (map (\p -> i64.u8 (p >> 5))) img
  let features =
    tabulate_2d (h / t) (w / t) (\i j ->
      let pairs = tabulate_2d t t (\y x ->
        let (y, x) = (i * t + y, j * t + x)
        let a = levels[y, x]
        in (a * 8 + levels[y, i64.min (w - 1) (x + 1)], a * 8 + levels[i64.min (h - 1) (y + 1), x]))
      let (ps, qs) = unzip (flatten pairs)
      let m = hist (+) 0i32 64 (ps ++ qs) (replicate (t * t + t * t) 1)
      let total = f32.i64 (2 * t * t)
      let (c, e, g) =
        map2 (\k n -> let d = f32.i64 (k / 8 - k % 8)
                      let p = f32.i32 n / total
                      in (d * d * p, p * p, p / (1 + f32.abs d)))
             (iota 64) m
        |> reduce (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
      in [c, e, g])
  in (patterns, features)
