-- Potts model on a torus, checkerboard heat bath with integer weights and a counter-based generator; energy per sweep.
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 17)) * 0xed5ad4bb
  let x = (x ^ (x >> 11)) * 0xac4c1b51
  let x = (x ^ (x >> 15)) * 0x31848bab
  in x ^ (x >> 14)

def sweep [h][w] (q: i64) (table: [5]u32) (t: u32) (colour: i64) (s: [h][w]u8) : [h][w]u8 =
  let up = rotate (-1) s
  let down = rotate 1 s
  let left = map (rotate (-1)) s
  let right = map (rotate 1) s
  in tabulate_2d h w (\i j ->
       if (i + j) % 2 != colour then s[i, j]
       else
         let weight k =
           let c = u8.i64 k
           in table[i64.bool (up[i, j] == c) + i64.bool (down[i, j] == c)
                              + i64.bool (left[i, j] == c) + i64.bool (right[i, j] == c)]
         let total = loop z = 0 for c < q do z + weight c
         let r = mix (t * 0x9e3779b9 + u32.i64 (i * w + j)) % total
         let (pick, _, _) =
           loop (pick, acc, done) = (0, 0u32, false) for c < q do
             let acc' = acc + weight c
             in if !done && r < acc' then (c, acc', true) else (pick, acc', done)
         in u8.i64 pick)

entry main [h][w] (sweeps: i32) (q: i64) (start: [h][w]u8) : ([h][w]u8, []i64, []i64) =
  let table = [16u32, 41, 106, 273, 703]
  let energy (s: [h][w]u8) =
    i64.sum (map i64.sum (map3 (map3 (\a b c -> i64.bool (a == b) + i64.bool (a == c))) s (rotate 1 s) (map (rotate 1) s)))
  let (s, es) =
    loop (s, es) = (map (map (% u8.i64 q)) start, replicate (i64.i32 sweeps) 0) for t < sweeps do
      let s = sweep q table (u32.i32 (2 * t)) 0 s
      let s = sweep q table (u32.i32 (2 * t + 1)) 1 s
      in (s, es with [i64.i32 t] = energy s)
  in (s, es, hist (+) 0 q (map i64.u8 (flatten s)) (replicate (h * w) 1))
