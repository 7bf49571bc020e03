-- A deblocking filter as in H.264 on the luma of several frames: edges of 8x8 blocks, first the vertical, then the horizontal ones; strength from a quantiser map, rows changed in place.
def clip3 (lo: i32) (hi: i32) (x: i32) = i32.min hi (i32.max lo x)

def edge (q: i32) (p2: i32) (p1: i32) (p0: i32) (q0: i32) (q1: i32) (q2: i32): (i32, i32, i32, i32) =
  let alpha = 4 + 2*q
  let beta = 2 + q/2
  in if i32.abs (p0 - q0) >= alpha || i32.abs (p1 - p0) >= beta || i32.abs (q1 - q0) >= beta then (p1, p0, q0, q1)
     else
       let ap = i32.abs (p2 - p0) < beta
       let aq = i32.abs (q2 - q0) < beta
       let tc0 = 1 + q/8
       let tc = tc0 + i32.bool ap + i32.bool aq
       let d = clip3 (-tc) tc ((4*(q0 - p0) + (p1 - q1) + 4) >> 3)
       let mid = (p0 + q0 + 1) >> 1
       let np1 = if ap then p1 + clip3 (-tc0) tc0 ((p2 + mid - 2*p1) >> 1) else p1
       let nq1 = if aq then q1 + clip3 (-tc0) tc0 ((q2 + mid - 2*q1) >> 1) else q1
       in (np1, clip3 0 255 (p0 + d), clip3 0 255 (q0 - d), nq1)

def filter_row [w] (q: i64 -> i32) (row: [w]u8): [w]u8 =
  loop r = copy row for e < (w - 1) / 8 do
    let x = 8*(e + 1)
    in if x + 2 >= w then r else
         let g o = i32.u8 r[x + o]
         let (p1, p0, q0, q1) = edge (q x) (g (-3)) (g (-2)) (g (-1)) (g 0) (g 1) (g 2)
         let r[x-2] = u8.i32 p1
         let r[x-1] = u8.i32 p0
         let r[x] = u8.i32 q0
         let r[x+1] = u8.i32 q1
         in r

entry main [n][h][w] (frames: [n][h][w]u8) (qmap: [h][w]u8): ([n][h][w]u8, [n]i64) =
  let q y x = i32.u8 qmap[y / 8, x / 8] % 52
  let smoothed = map (map (map (\v -> v / 16 + 96))) frames
  let one f =
    let v = map2 (\y row -> filter_row (q y) row) (iota h) f
    in transpose (map2 (\x col -> filter_row (\y -> q y x) col) (iota w) (transpose v))
  let res = map one smoothed
  let changed a b = i64.sum (map2 (\p q -> i64.bool (p != q)) (flatten a) (flatten b))
  in (res, map2 changed smoothed res)
