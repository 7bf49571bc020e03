-- An Inception module on channels-last images: 1x1; 1x1 then 3x3; 1x1 then 5x1 and 1x5; maximum of 3x3 then 1x1; joined along the channels.
def centre (v: f32) = v - 0.5
def relu = f32.max 0f32

def pointwise [h][w][c][o] (k: [o][c]f32) (x: [h][w][c]f32): [h][w][o]f32 =
  map (map (\p -> map (\r -> relu (f32.sum (map2 (\a b -> centre a * b) r p))) k)) x

def conv [h][w][c][o] (kh: i64) (kw: i64) (k: [o][kh][kw][c]f32) (x: [h][w][c]f32): [h][w][o]f32 =
  let padded = tabulate_2d (h + kh - 1) (w + kw - 1) (\y x' ->
    let (y, x') = (y - kh/2, x' - kw/2)
    in if y >= 0 && y < h && x' >= 0 && x' < w then x[y, x'] else replicate c 0)
  in tabulate_3d h w o (\y x' f ->
       relu (loop s = 0 for i < kh do
               loop s for j < kw do
                 loop s for ch < c do s + padded[y+i, x'+j, ch] * centre k[f, i, j, ch]))

def maxpool [h][w][c] (x: [h][w][c]f32): [h][w][c]f32 =
  tabulate_3d h w c (\y x' ch ->
    loop m = x[y, x', ch] for k < 9 do
      let yy = i64.max 0 (i64.min (h-1) (y + k/3 - 1))
      let xx = i64.max 0 (i64.min (w-1) (x' + k%3 - 1))
      in f32.max m x[yy, xx, ch])

entry main [n][h][w][c][a][b][d][e][f][g] (x: [n][h][w][c]f32) (k1: [a][c]f32)
    (r3: [b][c]f32) (k3: [d][3][3][b]f32) (r5: [e][c]f32) (kv: [e][5][1][e]f32) (kh: [f][1][5][e]f32) (kp: [g][c]f32)
    : [n][h][w][a + d + f + g]f32 =
  let module_ im =
    let p = pointwise k1 im
    let q = im |> pointwise r3 |> conv 3 3 k3
    let r = im |> pointwise r5 |> conv 5 1 kv |> conv 1 5 kh
    let s = im |> maxpool |> pointwise kp
    in map4 (map4 (\p q r s -> p ++ q ++ r ++ s)) p q r s
  in map module_ x
