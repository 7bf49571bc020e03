-- Night filter, as Hipacc's benchmark: a bilateral filter with holes over 3x3 pixels, again with the holes twice as
-- far, then the colours that an eye adapted to the dark sees. Past the border the nearest pixel is read, at every
-- stage.
import "image"

type colour = (f32, f32, f32)

-- Weights 1 2 1 in both directions, less where colours differ more; pixels `step` apart.
def atrous [h] [w] (step: i64) (sharp: f32) (img: [h][w]colour) : [h][w]colour =
  tabulate_2d h w (\y x ->
    let (r, g, b) = img[y, x]
    let (sr, sg, sb, sum) =
      loop (sr, sg, sb, sum) = (0, 0, 0, 0) for i < 3 do
        loop (sr, sg, sb, sum) for j < 3 do
          let (pr, pg, pb) = clamped img (y + (i - 1) * step) (x + (j - 1) * step)
          let (dr, dg, db) = (pr - r, pg - g, pb - b)
          let place = f32.i64 ((2 - i64.abs (i - 1)) * (2 - i64.abs (j - 1)))
          let weight = place * f32.exp (-(dr * dr + dg * dg + db * db) * sharp)
          in (sr + weight * pr, sg + weight * pg, sb + weight * pb, sum + weight)
    in (sr / sum, sg / sum, sb / sum))

-- Brightness as rods see it (Jensen and others, 2000), mixed in where it is dark, with a shift towards blue.
def scotopic ((r, g, b): colour) : colour =
  let x = 0.5149 * r + 0.3244 * g + 0.1607 * b
  let y = 0.2654 * r + 0.6704 * g + 0.0642 * b
  let z = 0.0248 * r + 0.1248 * g + 0.8504 * b
  let v = y * (1.33 * (1 + (y + z) / x) - 1.68)
  let t = f32.max 0 (f32.min 1 ((f32.log10 y + 2) / 2.6))
  let s = 3 * t * t - 2 * t * t * t
  let mix dark light = (1 - s) * v * dark + s * light
  in (mix 0.62 r, mix 0.70 g, mix 1.05 b)

entry main [h] [w] (img: [3][h][w]f32) : [3][h][w]f32 =
  let colours = map3 zip3 img[0] img[1] img[2]
  let near = atrous 1 20 colours
  let far = atrous 2 40 near
  let (r, g, b) = unzip3 (map unzip3 (map (map scotopic) far))
  in [r, g, b]
