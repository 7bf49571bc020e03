-- A host loop that ends when no point of an image changes by much: several of its steps may become one kernel.
-- ==
-- entry: settled
-- input { 100i32 [[0i32, 0i32, 0i32], [0i32, 90i32, 0i32], [0i32, 0i32, 0i32]] } auto output
-- input { 1i32 [[9i32, 0i32], [0i32, 40i32]] } auto output
-- input { 0i32 [[9i32, 0i32], [0i32, 40i32]] } output { [[9i32, 0i32], [0i32, 40i32]] 0i32 }
-- input { 5i32 empty([0][3]i32) } output { empty([0][3]i32) 1i32 }

-- ==
-- entry: greatest
-- input { [[1f32, 2f32], [f32.nan, 0f32]] } auto output

def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

entry settled [h][w] (most: i32) (a: [h][w]i32) : ([h][w]i32, i32) =
  let (a, _, done) =
    loop (a, moved, done) = (a, 1, 0) while moved > 0 && done < most do
      let b = tabulate_2d h w (\y x -> (a[clamp h (y - 1), x] + a[clamp h (y + 1), x] + a[y, clamp w (x - 1)] + a[y, clamp w (x + 1)]) / 4)
      in (b, i32.sum (map2 (\x y -> i32.abs (x - y)) (flatten b) (flatten a)), done + 1)
  in (a, done)

entry greatest [h][w] (a: [h][w]f32) : ([h][w]f32, f32) =
  let b = tabulate_2d h w (\y x -> a[y, x] + a[clamp h (y - 1), x])
  in (b, f32.maximum (flatten b))
