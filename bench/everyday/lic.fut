-- Line integral convolution: noise is averaged along the stream line through each pixel, in both directions by midpoint steps, windowed by a raised cosine.
type vec = {x: f32, y: f32}

def sample [h][w] (im: [h][w]f32) (p: vec): f32 =
  let px = f32.max 0 (f32.min (f32.i64 (w-1)) p.x)
  let py = f32.max 0 (f32.min (f32.i64 (h-1)) p.y)
  let (ix, iy) = (i64.min (w-2) (i64.f32 px), i64.min (h-2) (i64.f32 py))
  let (ax, ay) = (px - f32.i64 ix, py - f32.i64 iy)
  let mix a b t = a + t*(b-a)
  in mix (mix im[iy,ix] im[iy,ix+1] ax) (mix im[iy+1,ix] im[iy+1,ix+1] ax) ay

entry main [h][w] (len: i64) (ds: f32) (u: [h][w]f32) (v: [h][w]f32) (noise: [h][w]u8): [h][w]f32 =
  let u = map (map (\a -> a - 0.3)) u
  let v = map (map (\a -> a - 0.4)) v
  let n = map (map (\a -> f32.u8 a / 255)) noise
  let direction p s : vec =
    let (a, b) = (sample u p, sample v p)
    let k = s * ds / f32.sqrt (a*a + b*b + 0.01)
    in {x = k*a, y = k*b}
  let window i = 0.5 + 0.5 * f32.cos (f32.pi * f32.i64 i / f32.i64 len)
  let trace (start: vec) (s: f32) =
    let (_, sum, weight) =
      loop (p, sum, weight) = (start, 0, 0) for i in 1..<len do
        let d = direction p s
        let d = direction {x = p.x + 0.5*d.x, y = p.y + 0.5*d.y} s
        let p = {x = p.x + d.x, y = p.y + d.y}
        in (p, sum + window i * sample n p, weight + window i)
    in (sum, weight)
  in tabulate_2d h w (\y x ->
       let p = {x = f32.i64 x, y = f32.i64 y}
       let (a, wa) = trace p 1
       let (b, wb) = trace p (-1)
       in (n[y,x] + a + b) / (1 + wa + wb))
