-- Anisotropic diffusion.
entry main [h][w] (steps: i32) (kappa: f32) (img: [h][w]f32) : [h][w]f32 =
  let g d = f32.exp (-(d/kappa)*(d/kappa))
  let step (a: [h][w]f32) = tabulate_2d h w (\y x ->
    let c = a[y,x]
    let n = (if y > 0 then a[y-1,x] else c) - c
    let s = (if y < h-1 then a[y+1,x] else c) - c
    let o = (if x > 0 then a[y,x-1] else c) - c
    let e = (if x < w-1 then a[y,x+1] else c) - c
    in c + 0.2*(g n*n + g s*s + g o*o + g e*e))
  in iterate steps step img
