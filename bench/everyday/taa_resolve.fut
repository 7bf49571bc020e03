-- Temporal antialiasing: history fetched along motion vectors, clamped to the 3x3 colour box of the new frame in YCoCg, blended.
type rgb = (f32, f32, f32)
def ycocg (r: f32, g: f32, b: f32) : rgb = (0.25 * r + 0.5 * g + 0.25 * b, 0.5 * (r - b), 0.5 * g - 0.25 * (r + b))
def unycocg (y: f32, co: f32, cg: f32) : rgb = (y + co - cg, y + cg, y - co - cg)
def lift2 (op: f32 -> f32 -> f32) (a: rgb) (b: rgb) : rgb = (op a.0 b.0, op a.1 b.1, op a.2 b.2)
def load (p: [3]f32) : rgb = (p[0], p[1], p[2])

def main [h][w] (blend: f32) (cur: [h][w][3]f32) (hist: [h][w][3]f32) (motion: [h][w][2]f32) : [h][w][3]f32 =
  let cy = map (map (\p -> ycocg (load p))) cur
  let clampi lo hi v = i64.max lo (i64.min hi v)
  let history (fy: f32) (fx: f32) : rgb =
    let (y0, x0) = (i64.f32 (f32.floor fy), i64.f32 (f32.floor fx))
    let (ty, tx) = (fy - f32.i64 y0, fx - f32.i64 x0)
    let at y x = load hist[clampi 0 (h - 1) y, clampi 0 (w - 1) x]
    let mix t = lift2 (\a b -> (1 - t) * a + t * b)
    in ycocg (mix ty (mix tx (at y0 x0) (at y0 (x0 + 1))) (mix tx (at (y0 + 1) x0) (at (y0 + 1) (x0 + 1))))
  in tabulate_2d h w (\y x ->
       let (lo, hi) =
         loop (lo, hi) = (cy[y, x], cy[y, x]) for k < 9 do
           let c = cy[clampi 0 (h - 1) (y + k / 3 - 1), clampi 0 (w - 1) (x + k % 3 - 1)]
           in (lift2 f32.min lo c, lift2 f32.max hi c)
       let my = 8 * (motion[y, x, 0] - 0.5)
       let mx = 8 * (motion[y, x, 1] - 0.5)
       let old = lift2 f32.max lo (lift2 f32.min hi (history (f32.i64 y - my) (f32.i64 x - mx)))
       let (r, g, b) = unycocg (lift2 (\o c -> o + blend * (c - o)) old cy[y, x])
       in [r, g, b])
