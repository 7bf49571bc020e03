-- Non-local means over a batch of images: patches of 3x3 compared within 7x7, wrapped borders, exponential weights; mean absolute noise per image.
def wrap (n: i64) (i: i64): i64 = if i < 0 then i + n else if i >= n then i - n else i

def distance [h][w] (img: [h][w]f32) (y: i64) (x: i64) (v: i64) (u: i64): f32 =
  loop d = 0 for k < 9 do
    let (dy, dx) = (k / 3 - 1, k % 3 - 1)
    let e = img[wrap h (y + dy), wrap w (x + dx)] - img[wrap h (v + dy), wrap w (u + dx)]
    in d + e * e

def denoise [h][w] (strength: f32) (img: [h][w]f32): [h][w]f32 =
  let scale = -1 / (9 * strength * strength)
  in tabulate_2d h w (\y x ->
       let (sum, weight) =
         loop (sum, weight) = (0, 0) for dy in -3i64...3 do
           loop (sum, weight) for dx in -3i64...3 do
             let (v, u) = (wrap h (y + dy), wrap w (x + dx))
             let t = f32.exp (scale * distance img y x v u)
             in (sum + t * img[v, u], weight + t)
       in sum / weight)

entry main [n][h][w] (strength: f32) (batch: [n][h][w]f32): ([n][h][w]f32, [n]f32) =
  let out = map (denoise strength) batch
  let noise = map2 (\a b -> f32.sum (map2 (\p q -> f32.sum (map2 (\x y -> f32.abs (x - y)) p q)) a b) / f32.i64 (h * w)) out batch
  in (out, noise)
