-- Layers of each channel, of which each is made of the one below and put in its place.
def layers [h][w] (img: [h][w]f32) : [4][h][w]f32 =
  loop layers = replicate 4 img for l < 3 do
    layers with [l + 1] = tabulate_2d h w (\y x -> f32.max layers[l, y, x] layers[l, i64.min (h - 1) (y + (1 << l)), x])

entry main [h][w] (img: [3][h][w]f32) : [3][4][h][w]f32 = map layers img

-- Where the data say is no place of a point.
entry at_places [h][w] (places: [h]i64) (img: [h][w]f32) : *[h][w]f32 =
  scatter (copy img) places (map (map (* 2)) img)
