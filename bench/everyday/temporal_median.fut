-- The median of each pixel over every five frames in a row, and how far the middle frame lies from it.
def sort2 (a: u8) (b: u8) = (u8.min a b, u8.max a b)

def med5 (a: u8) (b: u8) (c: u8) (d: u8) (e: u8) : u8 =
  let (a, b) = sort2 a b
  let (c, d) = sort2 c d
  let lo = u8.max a c
  let hi = u8.min b d
  let (lo, hi) = sort2 lo hi
  in u8.max lo (u8.min hi e)

entry main [t] [h] [w] (film: [t][h][w]u8) : ([][h][w]u8, []i64) =
  let still = tabulate_3d (t - 4) h w (\i y x ->
    med5 film[i, y, x] film[i + 1, y, x] film[i + 2, y, x] film[i + 3, y, x] film[i + 4, y, x])
  let dist i = i64.sum (map2 (\a b -> i64.abs (i64.u8 a - i64.u8 b)) (flatten still[i]) (flatten film[i + 2]))
  in (still, map dist (iota (t - 4)))
