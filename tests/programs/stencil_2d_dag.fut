-- A graph of stages: two gradients of one image, their squares, and a blur of each before they meet.
-- ==
-- input { [[1, 2, 3], [4, 9, 6], [7, 8, 9]] } output { [[766, 2, 1759], [961, 5960, 2691], [673, 584, 898]] }
-- input { [[5]] } output { [[0]] }
-- compiled random input { [23][41]i32 } auto output

def at [h] [w] (img: [h][w]i32) (y: i64) (x: i64) : i32 = img[i64.max 0 (i64.min (h - 1) y), i64.max 0 (i64.min (w - 1) x)]

def box [h] [w] (img: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\y x -> at img y (x - 1) + at img y x + at img y (x + 1) + at img (y - 1) x + at img (y + 1) x)

entry main [h] [w] (img: [h][w]i32) : [h][w]i32 =
  let dx = tabulate_2d h w (\y x -> at img y (x + 1) - at img y (x - 1))
  let dy = tabulate_2d h w (\y x -> at img (y + 1) x - at img (y - 1) x)
  let xx = box (map2 (map2 (*)) dx dx)
  let yy = box (map2 (map2 (*)) dy dy)
  let xy = box (map2 (map2 (*)) dx dy)
  in map3 (map3 (\a b c -> a * b - c * c - (a + b) / 16)) xx yy xy
