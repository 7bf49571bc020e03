-- Quantised 3x3 convolution in NHWC (TFLite style): u8 activations with zero point, i8 weights, 32-bit sums, fixed-point requantisation per channel, clamp and 2x2 max pooling.
type params = {multiplier: i64, shift: i64, bias: i32}

def requantise (p: params) (zero: i32) (acc: i32) : u8 =
  let x = i64.i32 (acc + p.bias) * p.multiplier
  let rounded = (x + (1 << (p.shift - 1))) >> p.shift
  in u8.i64 (i64.max 0 (i64.min 255 (rounded + i64.i32 zero)))

entry main [n] [h] [w] [c] [o] (zin: u8) (zout: u8) (x: [n][h][w][c]u8) (k: [o][3][3][c]i8) (scale: [o]u8) (bias: [o]i8)
    : ([n][][][o]u8, [o]i64) =
  let z = i32.u8 zin
  let ps =
    map2 (\s b -> {multiplier = 20000 + 200 * i64.u8 s, shift = 26, bias = 64 * i32.i8 b}) scale bias
  let pixel (img: [h][w][c]u8) y x =
    map2 (\kern p ->
            let acc =
              loop acc = 0i32 for t < 9 do
                let yy = y + t / 3 - 1
                let xx = x + t % 3 - 1
                in if yy < 0 || xx < 0 || yy >= h || xx >= w then acc
                   else acc + i32.sum (map2 (\a b -> (i32.u8 a - z) * i32.i8 b) img[yy, xx] kern[t / 3, t % 3])
            in requantise p (i32.u8 zout) acc)
         k ps
  let full = map (\img -> tabulate_2d h w (pixel img)) x
  let pooled =
    map (\img ->
           tabulate_3d (h / 2) (w / 2) o (\y x f ->
             let at dy dx = img[2 * y + dy, 2 * x + dx, f]
             in u8.max (u8.max (at 0 0) (at 0 1)) (u8.max (at 1 0) (at 1 1))))
        full
  let totals =
    map (\f -> i64.sum (map (\img -> i64.sum (map (\row -> i64.sum (map (\px -> i64.u8 px[f]) row)) img)) full)) (iota o)
  in (pooled, totals)
