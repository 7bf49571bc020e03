-- Bilinear upsampling, skip connection joined by channels, 3x3 convolution, group norm, SiLU.
entry main [c][h][w][d][o] (x: [c][h][w]f32) (skip: [d][][]f32) (f: [o][][3][3]f32) : [o][][]f32 =
  let hh = 2*h let ww = 2*w
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let up = tabulate_3d c hh ww (\k y xx ->
    let y0 = cl h ((y-1)/2) let y1 = cl h ((y+1)/2) let x0 = cl w ((xx-1)/2) let x1 = cl w ((xx+1)/2)
    in 0.25*(x[k,y0,x0]+x[k,y0,x1]+x[k,y1,x0]+x[k,y1,x1]))
  let n = c + d
  let both = up ++ (skip :> [d][hh][ww]f32) :> [n][hh][ww]f32
  let f = f :> [o][n][3][3]f32
  let at k y xx = if y < 0 || xx < 0 || y >= hh || xx >= ww then 0 else both[k,y,xx]
  let z = map (\g -> tabulate_2d hh ww (\y xx -> f32.sum (flatten_3d (tabulate_3d n 3 3 (\k i j -> g[k,i,j]*at k (y+i-1) (xx+j-1)))))) f
  let z = map (\p -> let q = flatten p let m = f32.sum q/f32.i64 (hh*ww) let v = f32.sum (map (\t -> (t-m)*(t-m)) q)/f32.i64 (hh*ww) in map (map (\t -> (t-m)/f32.sqrt (v+1e-5))) p) z
  in map (map (map (\t -> t/(1+f32.exp (-t))))) z
