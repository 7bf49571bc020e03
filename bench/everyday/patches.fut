-- Images cut into patches, and each patch through a matrix: the first layer of a transformer for images.
def main [b][h][w][d] (x: [b][3][h][w]f32) (m: [d][768]f32) : [b][][d]f32 =
  let ph = h / 16 let pw = w / 16
  in map (\img -> tabulate (ph*pw) (\p ->
    let patch = tabulate 768 (\i -> img[i / 256, (p / pw) * 16 + (i / 16) % 16, (p % pw) * 16 + i % 16])
    in map (\r -> f32.sum (map2 (*) r patch)) m)) x
