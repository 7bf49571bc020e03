-- Scale3x (AdvMAME) pixel-art magnification of packed RGBA pixels from a small palette, then the count of pixels that differ from plain replication.
def palette (p: u32) : u32 =
  let k = p % 5
  in if k == 0 then 0xff000000 else if k == 1 then 0xffffffff
     else if k == 2 then 0xff2040c0 else if k == 3 then 0xff30a050 else 0xffd0b020

entry main [h][w] (src: [h][w]u32) : ([][]u32, i32) =
  let img = map (map palette) src
  let px y x = #[unsafe] img[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]
  let block y x : [3][3]u32 =
    let (a, b, c) = (px (y-1) (x-1), px (y-1) x, px (y-1) (x+1))
    let (d, e, f) = (px y (x-1), px y x, px y (x+1))
    let (g, h', i) = (px (y+1) (x-1), px (y+1) x, px (y+1) (x+1))
    in if b == h' || d == f then [[e,e,e],[e,e,e],[e,e,e]]
       else
         let e0 = if d == b then d else e
         let e1 = if (d == b && e != c) || (b == f && e != a) then b else e
         let e2 = if b == f then f else e
         let e3 = if (d == b && e != g) || (d == h' && e != a) then d else e
         let e5 = if (b == f && e != i) || (h' == f && e != c) then f else e
         let e6 = if d == h' then d else e
         let e7 = if (d == h' && e != i) || (h' == f && e != g) then h' else e
         let e8 = if h' == f then f else e
         in [[e0,e1,e2],[e3,e,e5],[e6,e7,e8]]
  let blocks = tabulate_2d h w block                 -- [h][w][3][3]
  let rows = map transpose blocks                    -- [h][3][w][3]
  let out = flatten (map (map flatten) rows)
  let changed = map2 (\y row -> i32.sum (map2 (\x p -> i32.bool (p != img[y/3, x/3])) (iota (w*3)) row)) (iota (h*3)) out
  in (out, i32.sum changed)
