-- The domain transform's recursive filter (Gastal and Oliveira) on a colour image: edge-aware first-order recursions along rows and columns, forth and back, with shrinking feedback.
type rgb = (f32, f32, f32)

def lerp (t: f32) (a: rgb) (b: rgb): rgb = (a.0 + t*(b.0 - a.0), a.1 + t*(b.1 - a.1), a.2 + t*(b.2 - a.2))
def l1 (a: rgb) (b: rgb) = f32.abs (a.0 - b.0) + f32.abs (a.1 - b.1) + f32.abs (a.2 - b.2)

def recurse [n] (v: [n]f32) (row: [n]rgb): [n]rgb =
  let fwd = loop r = copy row for i in 1..<n do r with [i] = lerp v[i] row[i] r[i-1]
  in loop r = fwd for j < n - 1 do
       let i = n - 2 - j
       in r with [i] = lerp v[i+1] r[i] r[i+1]

def distances [h][w] (ratio: f32) (img: [h][w]rgb): [h][w]f32 =
  map (\row -> tabulate w (\i -> if i == 0 then 1 else 1 + ratio * l1 row[i] row[i-1])) img

entry main [h][w] (ss: f32) (sr: f32) (img: [h][w][3]f32): [h][w][3]f32 =
  let pix = map (map (\p -> (p[0], p[1], p[2]))) img
  let dx = distances (ss / sr) pix
  let dy = distances (ss / sr) (transpose pix)
  let passes = 3i32
  let res = loop p = pix for i < passes do
    let sigma = ss * f32.sqrt 3 * f32.i32 (1 << (passes - 1 - i)) / f32.sqrt (f32.i32 ((1 << (2*passes)) - 1))
    let a = f32.exp (-(f32.sqrt 2) / sigma)
    let p = map2 (\d r -> recurse (map (a **) d) r) dx p
    in transpose (map2 (\d r -> recurse (map (a **) d) r) dy (transpose p))
  in map (map (\(r, g, b) -> [r, g, b])) res
