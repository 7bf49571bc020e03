-- Rolling guidance filter of an RGBA-less interleaved f32 image: a Gaussian, then joint bilateral filtering by the previous result, wrapped borders.
type pix = (f32, f32, f32)
def add (a: pix) (b: pix) : pix = (a.0+b.0, a.1+b.1, a.2+b.2)
def scale (k: f32) (a: pix) : pix = (k*a.0, k*a.1, k*a.2)
def dist2 (a: pix) (b: pix) = (a.0-b.0)**2 + (a.1-b.1)**2 + (a.2-b.2)**2

def joint [h][w] (r: i64) (ss: f32) (sr: f32) (img: [h][w]pix) (guide: [h][w]pix) : [h][w]pix =
  tabulate_2d h w (\y x ->
    let g0 = guide[y,x]
    let (acc, wsum) =
      loop (acc, wsum) = ((0,0,0), 0) for dy in -r...r do
        loop (acc, wsum) for dx in -r...r do
          let (yy, xx) = ((y+dy) % h, (x+dx) % w)
          let k = f32.exp (-(f32.i64 (dy*dy+dx*dx)) / (2*ss*ss) - dist2 g0 guide[yy,xx] / (2*sr*sr))
          in (add acc (scale k img[yy,xx]), wsum + k)
    in scale (1/wsum) acc)

entry main [h][w] (iters: i32) (ss: f32) (sr: f32) (img: [h][w][3]f32) : [h][w][3]f32 =
  let src = map (map (\p -> (p[0], p[1], p[2]))) img
  let flat : [h][w]pix = replicate h (replicate w (0, 0, 0))
  let out = loop g = flat for _i < iters do joint 3 ss sr src g
  in map (map (\(r, g, b) -> [r, g, b])) out
