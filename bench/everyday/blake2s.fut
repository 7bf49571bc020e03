-- BLAKE2s compression of one 64-byte block a message, and a tree of digests reduced level by level.
def iv : [8]u32 = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]

def sigma : [10][16]i32 =
  [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
   [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
   [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
   [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
   [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
   [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
   [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
   [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
   [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
   [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0]]

def rotr (x: u32) (k: u32) : u32 = (x >> k) | (x << (32 - k))

def g (v: *[16]u32) (a: i64) (b: i64) (c: i64) (d: i64) (x: u32) (y: u32) : *[16]u32 =
  let v[a] = v[a] + v[b] + x
  let v[d] = rotr (v[d] ^ v[a]) 16
  let v[c] = v[c] + v[d]
  let v[b] = rotr (v[b] ^ v[c]) 12
  let v[a] = v[a] + v[b] + y
  let v[d] = rotr (v[d] ^ v[a]) 8
  let v[c] = v[c] + v[d]
  let v[b] = rotr (v[b] ^ v[c]) 7
  in v

def compress (m: [16]u32) : [8]u32 =
  let h = tabulate 8 (\i -> if i == 0 then iv[0] ^ 0x01010020 else iv[i])
  let v : *[16]u32 = tabulate 16 (\i -> if i < 8 then h[i] else if i == 12 then iv[4] ^ 64 else if i == 14 then !iv[6] else iv[i - 8])
  let v = loop v for r < 10i64 do
    let s k = m[sigma[r, k]]
    let v = g v 0 4 8 12 (s 0) (s 1)
    let v = g v 1 5 9 13 (s 2) (s 3)
    let v = g v 2 6 10 14 (s 4) (s 5)
    let v = g v 3 7 11 15 (s 6) (s 7)
    let v = g v 0 5 10 15 (s 8) (s 9)
    let v = g v 1 6 11 12 (s 10) (s 11)
    let v = g v 2 7 8 13 (s 12) (s 13)
    in g v 3 4 9 14 (s 14) (s 15)
  in map3 (\a b c -> a ^ b ^ c) h (v[0:8] :> [8]u32) (v[8:16] :> [8]u32)

entry main [n] (levels: i32) (msgs: [n][16]i32) : ([n][8]u32, [8]u32) =
  let leaves = map (\m -> compress (map u32.i32 m)) msgs
  let (top, _) = loop (xs, k) = (leaves, n) for _l < levels do
      let half = k / 2
      in (tabulate half (\i -> compress (sized 16 (xs[2 * i] ++ xs[2 * i + 1]))), half)
  in (leaves, reduce (map2 (^)) (replicate 8 0) top)
