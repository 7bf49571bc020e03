-- Systematic Reed-Solomon parity (16 check bytes over GF(256)) of many messages, then the syndromes of the damaged words.
def exps : [255]u8 =
  let (t, _) =
    loop (t, x) = (replicate 255 0u8, 1i32) for i < 255 do
      let t[i] = u8.i32 x
      let x = x << 1
      in (t, if x > 255 then x ^ 0x11d else x)
  in t

def logs : [256]i32 =
  scatter (replicate 256 0) (map i64.u8 exps) (map i32.i64 (iota 255))

def gmul (ex: [255]u8) (lg: [256]i32) (a: u8) (b: u8) : u8 =
  if a == 0 || b == 0 then 0 else ex[(lg[i64.u8 a] + lg[i64.u8 b]) % 255]

def main [n] [m] (err: u8) (msgs: [n][m]u8) : ([n][16]u8, [n][16]u8) =
  let ex = exps
  let lg = logs
  let (*) = gmul ex lg
  -- generator polynomial, lowest coefficient first
  let gen =
    loop g = tabulate 17 (\i -> if i == 0 then 1u8 else 0) for r < 16 do
      tabulate 17 (\i -> (if i > 0 then g[i - 1] else 0) ^ (g[i] * ex[r]))
  let encode (msg: [m]u8) : [16]u8 =
    loop p = replicate 16 0u8 for c in msg do
      let fb = c ^ p[15]
      in loop p for k < 16 do
           let j = 15 - k
           in p with [j] = (if j > 0 then p[j - 1] else 0) ^ (gen[j] * fb)
  let parity = map encode msgs
  let syndromes (msg: [m]u8) (p: [16]u8) =
    tabulate 16 (\r ->
                       let s = loop s = 0u8 for i < m do (s * ex[r]) ^ msg[i] ^ (if i == 0 then err else 0)
                       in loop s for j < 16 do (s * ex[r]) ^ p[15 - j])
  in (parity, map2 syndromes msgs parity)
