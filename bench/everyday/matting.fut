-- Layers laid over each other by their alphas, from back to front.
def main [l][h][w] (rgb: [l][h][w][3]u8) (alpha: [l][h][w]u8) : [h][w][3]u8 =
  tabulate_2d h w (\y x ->
    let (r,g,b) = loop (r,g,b) = (0f32,0f32,0f32) for k < l do
      let a = f32.u8 alpha[k,y,x] / 255
      let mix c v = v * (1 - a) + a * f32.u8 rgb[k,y,x,c]
      in (mix 0 r, mix 1 g, mix 2 b)
    in [u8.f32 r, u8.f32 g, u8.f32 b])
