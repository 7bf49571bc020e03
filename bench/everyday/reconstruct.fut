-- Morphological reconstruction by dilation with a fixed number of steps, top hat by it, and hysteresis of two thresholds by propagation of booleans.
module type border = { type t val outside: t val op: t -> t -> t }

module neighbourhood (B: border) = {
  def get [h][w] (a: [h][w]B.t) (y: i64) (x: i64): B.t =
    if y >= 0 && y < h && x >= 0 && x < w then a[y, x] else B.outside
  def cross [h][w] (a: [h][w]B.t) (y: i64) (x: i64): B.t =
    get a (y - 1) x `B.op` get a (y + 1) x `B.op` get a y (x - 1) `B.op` get a y (x + 1) `B.op` a[y, x]
  def square [h][w] (a: [h][w]B.t) (y: i64) (x: i64): B.t =
    cross a y x `B.op` get a (y - 1) (x - 1) `B.op` get a (y - 1) (x + 1)
                `B.op` get a (y + 1) (x - 1) `B.op` get a (y + 1) (x + 1)
}

module dilation = neighbourhood { type t = u8 def outside = 0u8 def op = u8.max }
module erosion = neighbourhood { type t = u8 def outside = 255u8 def op = u8.min }
module spread = neighbourhood { type t = bool def outside = false def op = (||) }

def iterate 'a (n: i64) (f: a -> a) (x: a): a = loop x for _i < n do f x

entry main [h][w] (steps: i64) (low: u8) (high: u8) (image: [h][w]u8): ([h][w]u8, [h][w]bool, i64, i64) =
  let marker = iterate 2 (\a -> tabulate_2d h w (erosion.square a)) image
  let opened = iterate steps (\m -> tabulate_2d h w (\y x -> u8.min image[y, x] (dilation.cross m y x))) marker
  let hat = map2 (map2 (-)) image opened
  let weak = map (map (>= low)) hat
  let seeds = map (map (>= high)) hat
  let found = iterate steps (\s -> tabulate_2d h w (\y x -> weak[y, x] && spread.square s y x)) seeds
  let count = i64.sum (map i64.bool (flatten found))
  let mass = reduce (+) 0 (map2 (\t p -> if t then i64.u8 p else 0) (flatten found) (flatten image))
  in (hat, found, count, mass)
