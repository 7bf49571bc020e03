-- Speck 64/128 in counter mode with the key schedule laid out first, and a running tag of the ciphertext.
def ror (x: u32) (k: u32) = x >> k | x << (32 - k)
def rol (x: u32) (k: u32) = x << k | x >> (32 - k)

def round (k: u32) (x: u32, y: u32) : (u32, u32) =
  let x = (ror x 8 + y) ^ k
  in (x, rol y 3 ^ x)

def schedule (key: [4]u32) : [27]u32 =
  let (ks, _, _) =
    loop (ks, l, a) = (replicate 27 0, [key[1], key[2], key[3]], key[0]) for i < 27 do
      let ks' = ks with [i] = a
      let (b, a') = round (u32.i64 i) (l[0], a)
      in (ks', [l[1], l[2], b], a')
  in ks

entry main [n] (key: [4]i32) (nonce: i32) (words: [n][2]i32) : ([n][2]u32, u32) =
  let ks = schedule (map u32.i32 key)
  let crypt i (w: [2]i32) =
    let (x, y) = loop b = (u32.i32 nonce, u32.i64 i) for k in ks do round k b
    in [u32.i32 w[0] ^ x, u32.i32 w[1] ^ y]
  let out = map2 crypt (iota n) words
  in (out, reduce (+) 0 (map2 (\i w -> (w[0] ^ rol w[1] 7) * (2 * u32.i64 i + 1)) (iota n) out))
