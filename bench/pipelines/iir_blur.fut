-- Recursive blur as Halide's app: down and up each column, each value mixed with the one before; then along rows the
-- same.
def alpha : f32 = 0.5

def column [n] (xs: [n]f32) : [n]f32 =
  let down = loop ys = copy xs for i < n - 1 do
    ys with [i + 1] = (1 - alpha) * ys[i] + alpha * xs[i + 1]
  in loop ys = down for j < n - 1 do
    let i = n - 2 - j
    in ys with [i] = (1 - alpha) * ys[i + 1] + alpha * ys[i]

-- Blurs columns, and hands them back as rows.
def blur_columns [h] [w] (img: [h][w]f32) : [w][h]f32 = map column (transpose img)

entry main [h] [w] (img: [3][h][w]f32) : [3][h][w]f32 = map (\p -> blur_columns (blur_columns p)) img
