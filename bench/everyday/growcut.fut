-- GrowCut segmentation: labelled seeds attack their neighbours with a strength that colour differences weaken, a fixed number of rounds of a cellular automaton.
type state = (u8, i32)

def colour_gap (a: [3]u8) (b: [3]u8) : i32 =
  i32.abs (i32.u8 a[0] - i32.u8 b[0]) + i32.abs (i32.u8 a[1] - i32.u8 b[1]) + i32.abs (i32.u8 a[2] - i32.u8 b[2])

def moves : [8](i64, i64) = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

def round [h] [w] (img: [h][w][3]u8) (cells: [h][w]state) : [h][w]state =
  let step y x =
    let me = cells[y, x]
    let mine = img[y, x]
    in loop (l, s) = me for (dy, dx) in moves do
         let (v, u) = (y + dy, x + dx)
         in if v >= 0 && v < h && u >= 0 && u < w
            then let (l', s') = cells[v, u]
                 let attack = (s' * (765 - colour_gap mine img[v, u])) / 765
                 in if attack > s then (l', attack) else (l, s)
            else (l, s)
  in tabulate_2d h w step

entry main [h] [w] (rounds: i32) (labels: u8) (img: [h][w][3]u8) (seeds: [h][w]i32) : ([h][w]u8, [h][w]i32, []i32) =
  let start =
    map (map (\r -> if r & 0xff == 0 then (1 + u8.i32 ((r >> 8) & 0xff) % labels, 65535i32) else (0u8, 0i32))) seeds
  let final = loop c = start for _i < rounds do round img c
  let (l, s) = unzip (map unzip final)
  let area = reduce_by_index (replicate (1 + i64.u8 labels) 0i32) (+) 0 (map i64.u8 (flatten l)) (replicate (h * w) 1)
  in (l, s, area)
