-- Two binarised 3x3 convolution layers: signs of 64 channels packed in a u64, XNOR and population count, thresholds, padding with zeros left out of the count.
def pack [c] (bits: [c]bool) : u64 =
  loop w = 0 for i < c do w | (u64.bool bits[i] << u64.i64 i)

def layer [h][w] (ker: [64][3][3]u64) (thr: [64]i32) (x: [h][w]u64) : [h][w]u64 =
  tabulate_2d h w (\y x' ->
    loop out = 0u64 for o < 64 do
      let (agree, n) =
        loop (agree, n) = (0i32, 0i32) for t < 9 do
          let (j, i) = (y + t/3 - 1, x' + t%3 - 1)
          in if j < 0 || i < 0 || j >= h || i >= w then (agree, n)
             else (agree + u64.popc (!(x[j,i] ^ ker[o, t/3, t%3])), n + 64)
      in out | (u64.bool (2*agree - n > thr[o]) << u64.i64 o))

entry main [b][h][w] (feat: [b][h][w][64]f32) (k1: [64][3][3]u64) (k2: [64][3][3]u64) (t: [64]i8) : ([b][h][w]u64, [b][64]i32) =
  let thr = map (\v -> i32.i8 v / 8) t
  let x = map (map (map (\c -> pack (map (> 0.5) c)))) feat
  let y = map (\img -> img |> layer k1 thr |> layer k2 (reverse thr)) x
  -- channel populations for the classifier head
  let pop = map (\img -> map (\o -> i32.sum (map (\v -> i32.u64 ((v >> u64.i64 o) & 1)) (flatten img))) (iota 64)) y
  in (y, pop)
