-- Continuous ranked probability score of ensemble forecasts: sort each cell's members in a private array, then weighted sums.
def insertion_sort [k] (xs: *[k]f32) : *[k]f32 =
  loop xs for i in 1..<k do
    let x = xs[i]
    let (xs, j) = loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > x do
                    let y = xs[j - 1]
                    in (xs with [j] = y, j - 1)
    in xs with [j] = x

def crps [k] (members: [k]f32) (obs: f32) : f32 =
  let s = insertion_sort (copy members)
  let kf = f32.i64 k
  let mae = f32.sum (map (\x -> f32.abs (x - obs)) s) / kf
  let spread = f32.sum (map2 (\x i -> x * (2 * f32.i64 i + 1 - kf)) s (iota k)) / (kf * kf)
  in mae - spread

def main [k][c] (ens: [k][c]f32) (obs: [c]f32) : (f32, [c]f32, [c]i32) =
  let cells = transpose ens
  let score = map2 crps cells obs
  let rank = map2 (\ms o -> i32.sum (map (\m -> i32.bool (m < o)) ms)) cells obs
  in (f32.sum score / f32.i64 (i64.max 1 c), score, rank)
