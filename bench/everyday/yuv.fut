-- Colours to luma and halved chroma.
def main [hh][ww] (img: [hh][ww][3]u8) : ([hh][ww]u8, [][]u8, [][]u8) =
  let h = hh / 2 let w = ww / 2
  let px y x = (f32.u8 img[y,x,0], f32.u8 img[y,x,1], f32.u8 img[y,x,2])
  let luma = tabulate_2d hh ww (\y x -> let (r,g,b) = px y x in u8.f32 (0.299*r + 0.587*g + 0.114*b))
  let chroma (cr: f32) (cg: f32) (cb: f32) = tabulate_2d h w (\y x ->
    let one dy dx = let (r,g,b) = px (2*y+dy) (2*x+dx) in cr*r + cg*g + cb*b
    in u8.f32 (f32.max 0 (f32.min 255 (128 + 0.25 * (one 0 0 + one 0 1 + one 1 0 + one 1 1)))))
  in (luma, chroma (-0.169) (-0.331) 0.5, chroma 0.5 (-0.419) (-0.081))
