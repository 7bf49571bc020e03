-- Holes of an image filled by diffusion of their surroundings, the known pixels held; two channels at once.
type px = (f32, f32)

def add (a: px) (b: px) : px = (a.0 + b.0, a.1 + b.1)
def times (s: f32) (a: px) : px = (s * a.0, s * a.1)

def relax [h] [w] (hole: [h][w]bool) (img: [h][w]px) : [h][w]px =
  tabulate_2d h w (\y x ->
    if !hole[y, x] then img[y, x] else
    let u = img[i64.max 0 (y - 1), x]
    let d = img[i64.min (h - 1) (y + 1), x]
    let l = img[y, i64.max 0 (x - 1)]
    let r = img[y, i64.min (w - 1) (x + 1)]
    in times 0.25 (u `add` d `add` l `add` r))

entry main [h] [w] (steps: i32) (a: [h][w]f32) (b: [h][w]f32) (seed: [h][w]u8) : ([h][w]f32, [h][w]f32, f32) =
  let hole = map (map (> 90)) seed
  let start = map3 (map3 (\v u e -> if e then (0.5, 0.5) else (v, u))) a b hole
  let filled = loop img = start for _i < steps do relax hole img
  let (p, q) = unzip (map unzip filled)
  let change = f32.maximum (map2 (\v u -> f32.abs (v - u)) (flatten p) (flatten a))
  in (p, q, change)
