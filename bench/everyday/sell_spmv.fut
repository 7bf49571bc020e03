-- Sparse matrix-vector products in sliced ELLPACK: slices of 32 rows, each padded to its own width, columns interleaved.
def slice_h : i64 = 32

def main [s][n][z] (iters: i32) (raw_w: [s]u8) (cols: [z]u32) (vals: [z]f32) (x0: [n]f32) : []f32 =
  if n == 0 || z < slice_h then [] else
  let widths = map (\w -> 1 + i64.u8 w % 15) raw_w
  let offs = map2 (-) (scan (+) 0 widths) widths
  let wmax = z / slice_h
  let row_dot (x: [n]f32) (i: i64) : f32 =
    let (sl, lane) = (i / slice_h, i % slice_h)
    let w = widths[sl]
    in loop acc = 0 for k < w do
         let p = (offs[sl] + k) % wmax * slice_h + lane
         in acc + vals[p] * x[i64.u32 cols[p] % n]
  let m = s * slice_h
  let spmv x = tabulate m (row_dot x)
  let x = loop x = x0 for _i < iters - 1 do
            let y = spmv x
            let top = f32.max 1e-6 (reduce f32.max 0 (map f32.abs y))
            in tabulate n (\i -> if i < m then y[i] / top else x[i])
  in spmv x
