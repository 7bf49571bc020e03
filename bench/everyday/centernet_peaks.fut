-- Centre-point detector head on int8 features: 3x3 convolution per class, requantised heat map, 3x3 peak test, list of peaks with box sizes.
def main [c][h][w][k] (thr0: i32) (feat: [c][h][w]i8) (wt: [k][c][3][3]i8) (wsize: [2][c]i8) =
  let scores = tabulate_3d k h w (\o y x ->
    loop acc = 0i32 for i < c do
      loop acc for t < 9 do
        let (yy, xx) = (y + t / 3 - 1, x + t % 3 - 1)
        in if yy < 0 || yy >= h || xx < 0 || xx >= w then acc
           else acc + i32.i8 feat[i, yy, xx] * i32.i8 wt[o, i, t / 3, t % 3])
  let shift = 5 + (31 - i32.clz (i32.i64 (c * 9)))
  let heat = map (map (map (\s -> i32.max 0 (i32.min 255 (128 + (s >> (shift - 1))))))) scores
  let thr = 128 + thr0 % 64
  let peak o y x =
    let me = heat[o, y, x]
    let code = y * w + x
    in me >= thr &&
       (loop ok = true for t < 9 do
          let (yy, xx) = (y + t / 3 - 1, x + t % 3 - 1)
          in if t == 4 || yy < 0 || yy >= h || xx < 0 || xx >= w then ok
             else let v = heat[o, yy, xx]
                  in ok && (v < me || (v == me && yy * w + xx > code)))
  let hits = filter (\i -> let (o, r) = (i / (h * w), i % (h * w)) in peak o (r / w) (r % w)) (iota (k * h * w))
  let describe i =
    let (o, r) = (i / (h * w), i % (h * w))
    let (y, x) = (r / w, r % w)
    let size j = loop a = 0i32 for q < c do a + i32.i8 feat[q, y, x] * i32.i8 wsize[j, q]
    in (i32.i64 o, i32.i64 r, heat[o, y, x], i32.abs (size 0) >> 6, i32.abs (size 1) >> 6)
  let boxes = map describe hits
  let percls = reduce_by_index (replicate k 0i32) (+) 0 (map (\i -> i / (h * w)) hits) (map (const 1) hits)
  let (a, b, s, bh, bw) = unzip5 boxes
  in (a, b, s, bh, bw, percls)
