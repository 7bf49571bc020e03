-- The exact Euclidean distance transform: columns by two sweeps, rows by all candidates within reach.
def main [h][w] (img: [h][w]u8) : [h][w]f32 =
  let far = 1000i32
  let column (c: [h]u8) =
    let (down, _) = loop (out, d) = (replicate h 0i32, far) for i < h do
      let d = if c[i] < 4 then 0 else i32.min far (d + 1) in (out with [i] = d, d)
    let (up, _) = loop (out, d) = (replicate h 0i32, far) for k < h do
      let i = h - 1 - k
      let d = if c[i] < 4 then 0 else i32.min far (d + 1) in (out with [i] = d, d)
    in map2 i32.min down up
  let g = transpose (map column (transpose img))
  let reach = 12i64
  in tabulate_2d h w (\y x ->
    let best = loop best = i32.highest for k < 2*reach + 1 do
      let j = x + k - reach
      in if j >= 0 && j < w then i32.min best (i32.i64 ((k - reach) * (k - reach)) + g[y,j]*g[y,j]) else best
    in f32.sqrt (f32.i32 best))
