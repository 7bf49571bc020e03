-- 8x8 blocks: DCT, quantization, and back.
def c_at (k: i64) (i: i64) : f32 = (if k == 0 then 0.35355339 else 0.5) * f32.cos (3.14159265*(2*f32.i64 i+1)*f32.i64 k/16)
def mm (a: [8][8]f32) (b: [8][8]f32) : [8][8]f32 = tabulate_2d 8 8 (\i j -> loop s = 0 for k < 8 do s + a[i,k]*b[k,j])
entry main [h][w] (q: f32) (img: [h][w]u8) : [h][w]u8 =
  let bh = h/8 let bw = w/8
  let c = tabulate_2d 8 8 c_at
  let ct = tabulate_2d 8 8 (\i k -> c_at k i)
  let blocks = tabulate_2d bh bw (\by bx ->
    let b = tabulate_2d 8 8 (\i j -> f32.u8 img[8*by+i, 8*bx+j] - 128)
    let d = mm (mm c b) ct
    let d = map (map (\v -> f32.round (v/q)*q)) d
    in mm (mm ct d) c)
  in tabulate_2d h w (\y x -> if y < 8*bh && x < 8*bw then u8.f32 (f32.max 0 (f32.min 255 (blocks[y/8,x/8,y%8,x%8] + 128))) else img[y,x])
