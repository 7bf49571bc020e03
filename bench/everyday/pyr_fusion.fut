-- Exposure fusion of a bracket of images: contrast/saturation/well-exposedness weights blended over Laplacian pyramids of three levels.
def clampi (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

def tap (d: i64) : f32 = match d case 0 -> 0.375 case 1 -> 0.25 case -1 -> 0.25 case _ -> 0.0625

def down [h][w] (a: [h][w]f32) : [][]f32 =
  let row = tabulate_2d h ((w + 1) / 2) (\i j -> f32.sum (map (\d -> tap d * a[i, clampi w (2 * j + d)]) (-2...2)))
  in tabulate_2d ((h + 1) / 2) ((w + 1) / 2) (\i j -> f32.sum (map (\d -> tap d * row[clampi h (2 * i + d), j]) (-2...2)))

def up [p][q] (h: i64) (w: i64) (a: [p][q]f32) : [h][w]f32 =
  tabulate_2d h w (\i j ->
    let lin n i = (clampi n (i / 2), clampi n ((i + 1) / 2))
    let (i0, i1) = lin p i
    let (j0, j1) = lin q j
    in 0.25 * (a[i0, j0] + a[i0, j1] + a[i1, j0] + a[i1, j1]))

def minus [h][w] (a: [h][w]f32) (b: [h][w]f32) = map2 (map2 (-)) a b
def plus [h][w] (a: [h][w]f32) (b: [h][w]f32) = map2 (map2 (+)) a b

entry main [e][h][w] (scene: [h][w][3]f32) (gain: [e]f32) : [h][w][3]f32 =
  let expo g = map (map (map (\x -> f32.min 1 (x * (0.3 + 2 * g))))) scene
  let weight (img: [h][w][3]f32) =
    let grey = map (map (\p -> (p[0] + p[1] + p[2]) / 3)) img
    in tabulate_2d h w (\i j ->
      let g y x = grey[clampi h y, clampi w x]
      let lap = f32.abs (g (i - 1) j + g (i + 1) j + g i (j - 1) + g i (j + 1) - 4 * g i j)
      let p = img[i, j]
      let m = grey[i, j]
      let sat = f32.sqrt (f32.sum (map (\x -> (x - m) ** 2) p) / 3)
      let well = f32.product (map (\x -> f32.exp (-12.5 * (x - 0.5) ** 2)) p)
      in lap * sat * well + 1e-6)
  let imgs = map expo gain
  let ws = map weight imgs
  let tot = map (map f32.sum) (map transpose (transpose ws))
  let ws = map (\wt -> map2 (map2 (/)) wt tot) ws
  let channel c =
    let parts = map2 (\wt img ->
        let x = map (map (\p -> p[c])) img
        let x1 = down x
        let x2 = down x1
        let w1 = down wt
        let w2 = down w1
        let (h1, w1n) = ((h + 1) / 2, (w + 1) / 2)
        let l0 = minus x (up h w x1)
        let l1 = minus (up h1 w1n x1) (up h1 w1n (up h1 w1n x2))
        let b2 = map2 (map2 (*)) (up h w (up h1 w1n w2)) (up h w (up h1 w1n x2))
        let b1 = map2 (map2 (*)) (up h w w1) (up h w l1)
        in plus (map2 (map2 (*)) wt l0) (plus b1 b2)) ws imgs
    in map (map f32.sum) (map transpose (transpose parts))
  let r = channel 0
  let g = channel 1
  let b = channel 2
  let q x = f32.max 0 (f32.min 1 x)
  in map3 (map3 (\r g b -> [q r, q g, q b])) r g b
