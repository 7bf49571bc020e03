-- Thinning after Zhang and Suen of a binary image (majority of 5x5 random pixels first) until nothing more goes; skeleton, its rounds and its ends and crossings.
def around [h][w] (a: [h][w]bool) (y: i64) (x: i64): [8]bool =
  let g dy dx = let (y, x) = (y+dy, x+dx) in y >= 0 && x >= 0 && y < h && x < w && a[y, x]
  in [g (-1) 0, g (-1) 1, g 0 1, g 1 1, g 1 0, g 1 (-1), g 0 (-1), g (-1) (-1)]

def count [n] (p: [n]bool) = i32.sum (map i32.bool p)
def changes (p: [8]bool): i32 = loop c = 0 for i < 8i64 do c + i32.bool (!p[i] && p[(i+1) % 8])

def subpass [h][w] (second: bool) (a: [h][w]bool): [h][w]bool =
  tabulate_2d h w (\y x ->
    a[y, x] &&
    (let p = around a y x
     let n = count p
     let free = if second then !(p[0] && p[2] && p[6]) && !(p[0] && p[4] && p[6])
                else !(p[0] && p[2] && p[4]) && !(p[2] && p[4] && p[6])
     in !(n >= 2 && n <= 6 && changes p == 1 && free)))

entry main [h][w] (img: [h][w]bool): ([h][w]bool, i32, i32, i32) =
  let thick = tabulate_2d h w (\y x ->
    13 <= (loop s = 0i32 for k < 25 do
             let (y, x) = (y + k/5 - 2, x + k%5 - 2)
             in s + i32.bool (y >= 0 && x >= 0 && y < h && x < w && img[y, x])))
  let (skel, rounds, _) =
    loop (a, r, go) = (thick, 0i32, true) while go do
      let b = subpass true (subpass false a)
      in (b, r + 1, or (map2 (\p q -> or (map2 (!=) p q)) a b))
  let kinds = tabulate_2d h w (\y x -> if skel[y, x] then changes (around skel y x) else 0)
  let those f = i32.sum (map (\k -> i32.bool (f k)) (flatten kinds))
  in (skel, rounds, those (== 1), those (>= 3))
