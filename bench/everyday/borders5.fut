-- A chain of five 5x5 filters (blur, sharpen, emboss, ring, blur), every one with another treatment of the border.
type border = #clamp | #mirror | #wrap | #constant f32 | #guard

def fetch [h][w] (b: border) (im: [h][w]f32) (y: i64) (x: i64): f32 =
  let inside = y >= 0 && y < h && x >= 0 && x < w
  let reflect n i = let i = i64.abs i in if i >= n then 2*n - 2 - i else i
  in match b
     case #clamp -> im[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]
     case #mirror -> im[reflect h y, reflect w x]
     case #wrap -> im[(y + h) % h, (x + w) % w]
     case #constant c -> if inside then im[y, x] else c
     case #guard -> if inside then im[y, x] else 0

def filter5 [h][w] (b: border) (k: [5][5]f32) (im: [h][w]f32): [h][w]f32 =
  tabulate_2d h w (\y x ->
    let sum = f32.sum (map (\t -> k[t/5, t%5] * fetch b im (y + t/5 - 2) (x + t%5 - 2)) (iota 25))
    in match b
       case #guard -> if y < 2 || x < 2 || y >= h-2 || x >= w-2 then im[y, x] else sum
       case _ -> sum)

def outer (a: [5]f32) (s: f32): [5][5]f32 = map (\p -> map (\q -> p*q*s) a) a

entry main [h][w] (amount: f32) (outside: f32) (im: [h][w]f32): [h][w]f32 =
  let blur = outer [1, 4, 6, 4, 1] (1/256)
  let sharpen = tabulate_2d 5 5 (\i j -> (if i == 2 && j == 2 then 1 + amount else 0) - amount * blur[i, j])
  let emboss = tabulate_2d 5 5 (\i j -> if i == 2 && j == 2 then 1 else 0.05 * f32.i64 (4 - i - j))
  let ring = tabulate_2d 5 5 (\i j -> if i == 0 || j == 0 || i == 4 || j == 4 then 1/16 else 0)
  in im |> filter5 #clamp blur
        |> filter5 #mirror sharpen
        |> filter5 (#constant outside) emboss
        |> filter5 #guard ring
        |> filter5 #wrap blur
