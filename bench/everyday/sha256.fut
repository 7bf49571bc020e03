-- SHA-256 of many 55-byte-or-shorter messages (one block each), and the hash with the most leading zeros.
def k : [64]u32 = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2]

def h0 : [8]u32 = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

def rotr (x: u32) (n: u32) : u32 = (x >> n) | (x << (32 - n))

def block (m: [16]u32) : [8]u32 =
  let w = loop w = m ++ replicate 48 0 :> *[64]u32 for i in 16..<64 do
    let (a, b) = (w[i - 15], w[i - 2])
    let s0 = rotr a 7 ^ rotr a 18 ^ (a >> 3)
    let s1 = rotr b 17 ^ rotr b 19 ^ (b >> 10)
    in w with [i] = w[i - 16] + s0 + w[i - 7] + s1
  let (a, b, c, d, e, f, g, h) =
    loop (a, b, c, d, e, f, g, h) = (h0[0], h0[1], h0[2], h0[3], h0[4], h0[5], h0[6], h0[7]) for i < 64 do
      let t1 = h + (rotr e 6 ^ rotr e 11 ^ rotr e 25) + ((e & f) ^ (u32.not e & g)) + k[i] + w[i]
      let t2 = (rotr a 2 ^ rotr a 13 ^ rotr a 22) + ((a & b) ^ (a & c) ^ (b & c))
      in (t1 + t2, a, b, c, d + t1, e, f, g)
  in map2 (+) h0 [a, b, c, d, e, f, g, h]

def pad [l] (msg: [l]u8) : [16]u32 =
  let byte i = if i < l then u32.u8 msg[i] else if i == l then 0x80 else if i == 62 then u32.i64 (l * 8) >> 8 else if i == 63 then u32.i64 (l * 8) & 255 else 0
  in tabulate 16 (\j -> (byte (4 * j) << 24) | (byte (4 * j + 1) << 16) | (byte (4 * j + 2) << 8) | byte (4 * j + 3))

entry main [n][l] (msgs: [n][l]u8) : ([n][8]u32, i64, u32) =
  let hs = map (\m -> block (pad m)) msgs
  let lead = map2 (\i (h: [8]u32) -> (h[0], i)) (iota n) hs
  let (least, at) = reduce (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j)) (u32.highest, i64.highest) lead
  in (hs, at, least)
