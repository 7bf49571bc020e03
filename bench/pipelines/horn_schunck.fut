-- Optical flow by Horn and Schunck: derivatives of brightness between two images, then as many steps of the iteration
-- as are asked (the flow's mean around a pixel, corrected along the gradient). Past the border the nearest pixel is
-- read.
import "image"

def smoothness : f32 = 0.01

-- The derivatives over a cube of 2x2x2 pixels (equation 7 of their paper).
def derivatives [h] [w] (a: [h][w]f32) (b: [h][w]f32) : [h][w](f32, f32, f32) =
  tabulate_2d h w (\y x ->
    let (a00, a01, a10, a11) = (a[y, x], clamped a y (x + 1), clamped a (y + 1) x, clamped a (y + 1) (x + 1))
    let (b00, b01, b10, b11) = (b[y, x], clamped b y (x + 1), clamped b (y + 1) x, clamped b (y + 1) (x + 1))
    in ((a01 - a00 + a11 - a10 + b01 - b00 + b11 - b10) / 4,
        (a10 - a00 + a11 - a01 + b10 - b00 + b11 - b01) / 4,
        (b00 - a00 + b01 - a01 + b10 - a10 + b11 - a11) / 4))

def mean [h] [w] (f: [h][w]f32) (y: i64) (x: i64) : f32 =
  let at dy dx = clamped f (y + dy) (x + dx)
  in (at (-1) 0 + at 0 1 + at 1 0 + at 0 (-1)) / 6 + (at (-1) (-1) + at (-1) 1 + at 1 1 + at 1 (-1)) / 12

entry main [h] [w] (steps: i32) (a: [h][w]f32) (b: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let gradient = derivatives a b
  let step (u, v) =
    unzip (map unzip (tabulate_2d h w (\y x ->
      let (dx, dy, dt) = gradient[y, x]
      let (mu, mv) = (mean u y x, mean v y x)
      let change = (dx * mu + dy * mv + dt) / (smoothness + dx * dx + dy * dy)
      in (mu - dx * change, mv - dy * change))))
  let zero = replicate h (replicate w 0f32)
  in iterate steps step (zero, zero)
