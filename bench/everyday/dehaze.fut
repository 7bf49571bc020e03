-- Haze removal by the dark channel: minimum over colours and a 15x15 window, air light of the haziest pixel, refined transmission, radiance.
def edge (n: i64) (i: i64): i64 = i64.max 0 (i64.min (n - 1) i)

-- A window of 2r+1 along the rows, with any operator.
def window 'a [n][m] (r: i64) (op: a -> a -> a) (img: [n][m]a): [n][m]a =
  tabulate_2d n m (\y x -> loop acc = img[y, edge m (x - r)] for k < 2 * r do op acc img[y, edge m (x - r + 1 + k)])

def window2 'a [n][m] (r: i64) (op: a -> a -> a) (img: [n][m]a): [n][m]a =
  img |> window r op |> transpose |> window r op |> transpose

entry main [h][w] (omega: f32) (image: [h][w][3]u8): ([h][w][3]f32, [h][w]f32, [3]u8) =
  let dark = window2 7 u8.min (map (map (\p -> u8.min p[0] (u8.min p[1] p[2]))) image)
  let brightest =
    map2 (\i d -> (i64.u8 d << 40) | ((1 << 40) - 1 - i)) (iota (h * w)) (flatten dark)
    |> i64.maximum
  let where = (1 << 40) - 1 - (brightest & ((1 << 40) - 1))
  let air = map (u8.max 40) image[where / w, where % w]
  let air' = map f32.u8 air
  let raw = map (map (\p -> f32.minimum (map2 (\c a -> f32.u8 c / a) p air'))) image
            |> window2 3 f32.min
            |> map (map (\d -> f32.max 0 (1 - omega * d)))
  let area = 11 * 11
  let grey = map (map (\p -> (f32.u8 p[0] + f32.u8 p[1] + f32.u8 p[2]) / 765)) image
  let mean a = map (map (/ area)) (window2 5 (+) a)
  let (mg, mt) = (mean grey, mean raw)
  let cov = map4 (map4 (\gt g t gg -> (gt - g * t) / (gg - g * g + 0.01)))
                 (mean (map2 (map2 (*)) grey raw)) mg mt (mean (map2 (map2 (*)) grey grey))
  let rest = map3 (map3 (\t a g -> t - a * g)) mt cov mg
  let t = map3 (map3 (\a b g -> a * g + b)) (mean cov) (mean rest) grey
  let t = map (map (\x -> f32.max 0.1 (f32.min 1 x))) t
  in ( tabulate_2d h w (\y x -> map2 (\c a -> f32.max 0 (f32.min 255 ((f32.u8 c - a) / t[y, x] + a))) image[y, x] air')
     , t, air )
