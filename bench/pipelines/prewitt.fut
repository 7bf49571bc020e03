-- Prewitt's edges: the differences along rows and columns, each over three pixels, and the length of both; past the
-- border the nearest pixel is read.
import "image"

def side (a: u8) (b: u8) (c: u8) : i16 = i16.u8 a + i16.u8 b + i16.u8 c

def derivative_x [h] [w] (img: [h][w]u8) : [h][w]i16 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped img (y + dy) (x + dx)
    in side (at (-1) 1) (at 0 1) (at 1 1) - side (at (-1) (-1)) (at 0 (-1)) (at 1 (-1)))

def derivative_y [h] [w] (img: [h][w]u8) : [h][w]i16 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped img (y + dy) (x + dx)
    in side (at 1 (-1)) (at 1 0) (at 1 1) - side (at (-1) (-1)) (at (-1) 0) (at (-1) 1))

def length (dx: i16) (dy: i16) : u8 =
  let (a, b) = (f32.i16 dx, f32.i16 dy)
  in u8.f32 (f32.min 255 (f32.sqrt (a * a + b * b)))

entry main [h] [w] (img: [h][w]u8) : [h][w]u8 = map2 (map2 length) (derivative_x img) (derivative_y img)
