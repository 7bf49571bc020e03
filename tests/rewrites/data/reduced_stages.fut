-- Reductions of what stages compute, and loops that end by what they yield.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def around [h][w] (a: [h][w]i32) y x = a[clamp h (y - 1), x] + 3 * a[y, clamp w (x + 1)] - a[clamp h (y + 1), clamp w (x - 2)]
def stage [h][w] (a: [h][w]i32) : [h][w]i32 = tabulate_2d h w (around a)

entry alone [h][w] (a: [h][w]i32) : ([h][w]i32, i32) = let b = stage a in (b, i32.sum (map (\x -> x * x) (flatten b)))
entry volume [l][h][w] (a: [l][h][w]i32) : ([l][h][w]i32, i32) =
  let b = tabulate_3d l h w (\z y x -> a[clamp l (z - 1), y, x] + a[z, clamp h (y + 1), clamp w (x + 1)])
  in (b, i32.maximum (flatten (flatten b)))
entry grouped [h][w] (a: [h][w]i32) : ([h][w]i32, i32, i32, i32) =
  let b = stage a
  let c = tabulate_2d h w (\y x -> around b y x - b[y, x])
  let (most, sum) = reduce_comm (\(m, s) (n, t) -> (i32.max m n, s + t)) (-1000, 0) (map (\x -> (x, x * 3)) (flatten c))
  in (c, i32.sum (flatten b), most, sum)

-- In this order alone.
entry ordered [h][w] (a: [h][w]i32) : ([h][w]i32, i32, i32) =
  let b = stage a
  let (f, t) = reduce (\(p, q) (r, s) -> (p * r, q * r + s)) (1, 0) (map (\x -> (x, x + 1)) (flatten b))
  in (b, f, t)

-- What is folded decides about the next stage.
entry scaled [h][w] (a: [h][w]i32) : [h][w]i32 =
  let b = stage a
  let most = i32.maximum (flatten b)
  in tabulate_2d h w (\y x -> around b y x - most)

def smooth [h][w] (a: [h][w]i32) y x = (a[clamp h (y - 1), x] + a[clamp h (y + 1), x] + a[y, clamp w (x - 1)] + a[y, clamp w (x + 1)]) / 4
entry settled [h][w] (most: i32) (a: [h][w]i32) : ([h][w]i32, i32) =
  let (a, _, done) =
    loop (a, moved, done) = (a, 1, 0) while moved > 0 && done < most do
      let b = tabulate_2d h w (smooth a)
      in (b, i32.sum (map2 (\x y -> i32.abs (x - y)) (flatten b) (flatten a)), done + 1)
  in (a, done)
entry steady [h][w] (most: i32) (a: [h][w]f32) : ([h][w]f32, i32) =
  let (a, _, done) =
    loop (a, moved, done) = (a, 1, 0) while moved > 0.125f32 && done < most do
      let b = tabulate_2d h w (\y x -> (a[clamp h (y - 1), x] + a[y, clamp w (x + 1)]) * 0.5)
      in (b, f32.maximum (map2 (\x y -> f32.abs (x - y)) (flatten b) (flatten a)), done + 1)
  in (a, done)
entry while_any [h][w] (a: [h][w]i32) (limit: i32) : [h][w]i32 =
  let (a, _) =
    loop (a, more) = (a, true) while more do
      let b = tabulate_2d h w (\y x -> 1 + i32.max a[y, x] a[clamp h (y - 1), clamp w (x + 1)])
      in (b, any (< limit) (flatten b))
  in a
-- A step that there may be too many might fail.
entry indexed [h][w] (most: i32) (a: [h][w]i32) (table: []i32) : [h][w]i32 =
  let (a, _, _) =
    loop (a, moved, done) = (a, 1, 0) while moved > 0 && done < most do
      let b = tabulate_2d h w (\y x -> table[done] + smooth a y x)
      in (b, i32.maximum (flatten b), done + 1)
  in a
entry unchecked [h][w] (most: i32) (a: [h][w]i32) (table: []i32) : [h][w]i32 =
  let (a, _, _) =
    loop (a, moved, done) = (a, 1, 0) while moved > 0 && done < most do
      let b = tabulate_2d h w (\y x -> #[unsafe] (table[i64.i32 done + y % 2] + smooth a y x))
      in (b, i32.maximum (flatten b), done + 1)
  in a
-- The first stage is stored by a kernel that runs behind the second.
entry between [h][w] (a: [h][w]i32) : [h][w]i32 =
  let b = stage a
  let most = reduce i32.max 0 (flatten (tabulate_2d h w (\y x -> 3 * b[y, x])))
  in tabulate_2d h w (\y x -> 4 * b[clamp h (y - 1), x] + most)
-- What the images hold decides whether they are read beyond their ends, or in which of two places.
entry guarded [h][w] (limit: i32) (a: [h][w]i32) (table: [h][w]i32) : [h][w]i32 =
  let (a, _, _) =
    loop (a, more, done) = (a, true, 0i32) while more && done < 9 do
      let b = tabulate_2d h w (\y x -> if a[y, x] > limit then #[unsafe] table[y + 7, x] else a[y, x] + 1)
      in (b, i32.maximum (flatten b) < limit, done + 1)
  in a
entry directed [h][w] (limit: i32) (a: [h][w]i32) (table: [h][w]i32) : [h][w]i32 =
  let (a, _, _) =
    loop (a, more, done) = (a, true, 0i32) while more && done < 9 do
      let b = tabulate_2d h w (\y x ->
        let (steps, d) = loop (k, d) = (0, 0) for _i < 2i32 do if a[y, x] > limit + k then (k + 1, 7) else (k - 1, d)
        in #[unsafe] table[y + d, x] + a[y, x] + steps)
      in (b, i32.maximum (flatten b) < limit, done + 1)
  in a
-- ... but there are such elements in any case.
entry masked [h][w] (limit: i32) (a: [h][w]i32) : [h][w]i32 =
  let (a, _, _) =
    loop (a, more, done) = (a, true, 0i32) while more && done < 9 do
      let b = tabulate_2d h w (\y x -> if a[y, x] > 3 && y > 0 then a[y - 1, clamp w (x + 1)] else a[y, x] + 1)
      in (b, i32.maximum (flatten b) < limit, done + 1)
  in a
