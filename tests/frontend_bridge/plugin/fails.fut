-- Contractions that are tiled, among operations that fail.
def convolve [o] [ci] [k] [h] [w] (filters: [o][ci][k][k]f32) (image: [ci][h][w]f32) (hh: i64) (ww: i64) : [o][hh][ww]f32 =
  tabulate_2d o hh (\f y -> #[sequential_inner] tabulate ww (\x ->
    reduce (+) 0 (tabulate ci (\c ->
      let window = image[c, y:y + k, x:x + k] :> [k][k]f32
      in reduce (+) 0 (map2 (\window_row filter_row -> reduce (+) 0 (map2 (*) window_row filter_row)) window filters[f, c])))))

-- Which of the calls failed is in the call stack of what fails.
def pick (xs: []f32) (i: i64) = xs[i]

def deeper (xs: []f32) (is: []i64) = map (\i -> pick xs (i + 1)) is

#[noinline]
def apart (xs: []f32) (n: i64) = let y = pick xs n in y + 1

entry kernel (size: i64) (at: i64) =
  let image = tabulate_3d 4 size size (\c y x -> f32.i64 ((c + y * 3 + x) % 7))
  let filters = tabulate_3d 8 4 3 (\o c i -> tabulate 3 (\j -> f32.i64 ((o + c + i + j) % 5)))
  let r = convolve filters image (size - 2) (size - 2)
  in (r, deeper r[0, 0] (iota 3 |> map (+ at)))

entry host (size: i64) (at: i64) =
  let image = tabulate_3d 4 size size (\c y x -> f32.i64 ((c + y * 3 + x) % 7))
  let filters = tabulate_3d 8 4 3 (\o c i -> tabulate 3 (\j -> f32.i64 ((o + c + i + j) % 5)))
  let r = convolve filters image (size - 2) (size - 2)
  in (r, assert (at < 100) (pick r[0, 0] at))

entry callee (size: i64) (at: i64) =
  let image = tabulate_3d 4 size size (\c y x -> f32.i64 ((c + y * 3 + x) % 7))
  let filters = tabulate_3d 8 4 3 (\o c i -> tabulate 3 (\j -> f32.i64 ((o + c + i + j) % 5)))
  let r = convolve filters image (size - 2) (size - 2)
  in (r, apart r[0, 0] at)

-- What is tiled fails itself: rows are read beyond the image.
entry within (size: i64) (more: i64) =
  let image = tabulate_3d 4 size size (\c y x -> f32.i64 ((c + y * 3 + x) % 7))
  let filters = tabulate_3d 8 4 3 (\o c i -> tabulate 3 (\j -> f32.i64 ((o + c + i + j) % 5)))
  in convolve filters image (size - 2 + more) (size - 2)
