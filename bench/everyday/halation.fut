-- Film halation on planar half-precision RGB: a colour matrix, a soft highlight mask, blurred at half resolution, brought back and added; a filmic curve.
def clampi (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def down [h][w] (im: [h][w]f32) =
  tabulate_2d (h/2) (w/2) (\y x -> 0.25 * (im[2*y,2*x] + im[2*y+1,2*x] + im[2*y,2*x+1] + im[2*y+1,2*x+1]))

def blur [h][w] (im: [h][w]f32): [h][w]f32 =
  let k: [9]f32 = [0.02, 0.06, 0.12, 0.18, 0.24, 0.18, 0.12, 0.06, 0.02]
  let line [n] (r: [n]f32): [n]f32 = tabulate n (\x -> f32.sum (tabulate 9 (\d -> k[d] * r[clampi n (x+d-4)])))
  in im |> map line |> transpose |> map line |> transpose

def up [h][w] (hh: i64) (ww: i64) (im: [h][w]f32): [hh][ww]f32 =
  tabulate_2d hh ww (\y x ->
    let tap n i = (clampi n ((i - 1) / 2 - (if i == 0 then 1 else 0)), clampi n ((i + 1) / 2), if i % 2 == 0 then 0.75f32 else 0.25)
    let (y0, y1, a) = tap h y
    let (x0, x1, b) = tap w x
    let at q = (1 - b) * im[q, x0] + b * im[q, x1]
    in (1 - a) * at y0 + a * at y1)

entry main [h][w] (m: [3][3]f32) (strength: f32) (rgb: [3][h][w]f16): [3][h][w]f16 =
  let lin = map (map (map (\v -> let f = f32.f16 v in 2*f*f))) rgb
  let graded = map (\row -> tabulate_2d h w (\y x -> 0.4 * (row[0]*lin[0,y,x] + row[1]*lin[1,y,x] + row[2]*lin[2,y,x]) + 0.3*lin[0,y,x])) m
  let luma = tabulate_2d h w (\y x -> 0.2*graded[0,y,x] + 0.7*graded[1,y,x] + 0.1*graded[2,y,x])
  let glow = luma |> map (map (\v -> v*v*v / (0.5 + v*v))) |> down |> blur |> blur |> up h w
  let tint = [1f32, 0.35, 0.1]
  let curve x = x*(2.51*x + 0.03) / (x*(2.43*x + 0.59) + 0.14)
  in map2 (\plane t -> map2 (map2 (\v g -> f16.f32 (curve (v + strength*t*g)))) plane glow) graded tint
