-- What the pipelines share: indices at borders, and the brightness of a colour.

-- Past the border the nearest pixel is read.
def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

-- Past the border the pixels are seen in a mirror that stands on the outermost; up to n - 1 pixels away.
def mirror (n: i64) (i: i64) : i64 = if i < 0 then -i else if i >= n then 2 * n - 2 - i else i

def clamped [h] [w] 't (img: [h][w]t) (y: i64) (x: i64) : t = img[clamp h y, clamp w x]

def luminance (r: f32) (g: f32) (b: f32) : f32 = 0.299 * r + 0.587 * g + 0.114 * b

def gray [h] [w] (img: [3][h][w]f32) : [h][w]f32 = map3 (map3 luminance) img[0] img[1] img[2]
