-- Tiles that nearly fill a block's shared memory. large_tiles.fut_gpu is what `futhark dev -s --extract-kernels -e` makes of it.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def step [h][w] (dy: i64) (dx: i64) (img: [h][w]f64) : [h][w]f64 =
  tabulate_2d h w (\y x -> img[clamp h (y - dy), clamp w (x - dx)] + 2 * img[y, x] - img[clamp h (y + dy), clamp w (x + dx)])

entry tall [h][w] (img: [h][w]f64) : [h][w]f64 = step 4 1 (step 4 1 (step 4 1 img))
entry square [h][w] (img: [h][w]f64) : [h][w]f64 = step 3 3 (step 3 3 (step 3 3 img))
