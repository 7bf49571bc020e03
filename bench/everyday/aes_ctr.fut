-- AES-128 in counter mode: S-box and key schedule computed, then one block a thread.
def xtime (b: u8) : u8 = (b << 1) ^ (if b >= 0x80 then 0x1b else 0)

def gmul (a: u8) (b: u8) : u8 =
  (loop (acc, x, y) = (0u8, a, b) for _i < 8i32 do
     (if y & 1 == 1 then acc ^ x else acc, xtime x, y >> 1)).0

def sbox_of (x: i64) : u8 =
  let a = u8.i64 x
  -- the inverse is a^254
  let inv = (loop (r, p) = (1u8, a) for i < 8i32 do (if i == 0 then r else gmul r p, gmul p p)).0
  let rot (k: u8) = (inv << k) | (inv >> (8 - k))
  in inv ^ rot 1 ^ rot 2 ^ rot 3 ^ rot 4 ^ 0x63

def key_schedule (sbox: [256]u8) (key: [16]u8) : [11][16]u8 =
  let w : *[176]u8 = replicate 176 0
  let w[0:16] = copy key
  let (w, _) =
    loop (w, rcon) = (w, 1u8) for i in 4..<44 do
      let p = 4 * (i - 1)
      let t = copy w[p:p + 4]
      let (t, rcon) =
        if i % 4 == 0
        then ([sbox[i64.u8 t[1]] ^ rcon, sbox[i64.u8 t[2]], sbox[i64.u8 t[3]], sbox[i64.u8 t[0]]] :> [4]u8, xtime rcon)
        else (t, rcon)
      let new = tabulate 4 (\k -> w[4 * (i - 4) + k] ^ t[k])
      let w[4 * i:4 * i + 4] = new
      in (w, rcon)
  in unflatten (w :> [11 * 16]u8)

def encrypt (sbox: [256]u8) (ks: [11][16]u8) (block: [16]u8) : [16]u8 =
  let shifted (s: [16]u8) : [16]u8 =
    tabulate 16 (\i -> sbox[i64.u8 s[(i + 4 * (i % 4)) % 16]])
  let mix (s: [16]u8) : [16]u8 =
    tabulate 16 (\i ->
      let c = i / 4 * 4
      let at k = s[c + (i + k) % 4]
      in xtime (at 0) ^ xtime (at 1) ^ at 1 ^ at 2 ^ at 3)
  let s = loop s = map2 (^) block ks[0] for r in 1..<10 do
            map2 (^) (mix (shifted s)) ks[r]
  in map2 (^) (shifted s) ks[10]

entry main [n] (key: [16]u8) (nonce: [8]u8) (plain: [n][16]u8) : [n][16]u8 =
  let sbox = tabulate 256 sbox_of
  let ks = key_schedule sbox key
  in tabulate n (\i ->
       let ctr = tabulate 16 (\k -> if k < 8 then nonce[k] else u8.i64 ((i >> (8 * (15 - k))) & 255))
       in map2 (^) plain[i] (encrypt sbox ks ctr))
