-- Keccak sponge (SHA3-256 style) of many messages of equal length: 24 rounds on 25 lanes, padding, digest words.
type state = [25]u64

def rotl (x: u64) (n: u64) : u64 = if n == 0 then x else (x << n) | (x >> (64 - n))

-- Rotation and target of each lane, and the round constants from the shift register.
def rho_pi : ([25]u64, [25]i64) =
  let (rot, dst, _, _) =
    loop (rot, dst, x, y) = (replicate 25 0u64, replicate 25 0i64, 1i64, 0i64) for t < 24 do
      let rot = rot with [x + 5 * y] = u64.i64 ((t + 1) * (t + 2) / 2 % 64)
      let dst = dst with [x + 5 * y] = y + 5 * ((2 * x + 3 * y) % 5)
      in (rot, dst, y, (2 * x + 3 * y) % 5)
  in (rot, dst)

def constants : [24]u64 =
  let (rc, _) =
    loop (rc, r) = (replicate 24 0u64, 1u32) for q < 168 do
      let (i, j) = (q / 7, q % 7)
      let rc = if r & 1 == 1 then rc with [i] = rc[i] ^ (1u64 << u64.i64 ((1 << j) - 1)) else rc
      let r = r << 1
      in (rc, if r & 0x100 != 0 then r ^ 0x171 else r)
  in rc

def permute (rot: [25]u64) (dst: [25]i64) (rc: [24]u64) (s: state) : state =
  loop s for round < 24 do
    let c = tabulate 5 (\x -> s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20])
    let d = tabulate 5 (\x -> c[(x + 4) % 5] ^ rotl c[(x + 1) % 5] 1)
    let a = tabulate 25 (\i -> s[i] ^ d[i % 5])
    let b = loop b = replicate 25 0u64 for i < 25 do b with [dst[i]] = rotl a[i] rot[i]
    let e = tabulate 25 (\i -> let (x, y) = (i % 5, 5 * (i / 5))
                               in b[i] ^ (!b[y + (x + 1) % 5] & b[y + (x + 2) % 5]))
    in e with [0] = e[0] ^ rc[round]

def rate : i64 = 136

def digest [m] (rot: [25]u64) (dst: [25]i64) (rc: [24]u64) (msg: [m]u8) : [4]u64 =
  let blocks = m / rate + 1
  let byte p = if p < m then msg[p]
               else (if p == m then 6 else 0) ^ (if p == blocks * rate - 1 then 0x80 else 0u8)
  let s =
    loop s = replicate 25 0u64 for b < blocks do
      let lane i = loop w = 0u64 for k < 8 do w | u64.u8 (byte (b * rate + 8 * i + k)) << u64.i64 (8 * k)
      in permute rot dst rc (tabulate 25 (\i -> if i < rate / 8 then s[i] ^ lane i else s[i]))
  in [s[0], s[1], s[2], s[3]]

entry main [n][m] (msgs: [n][m]u8) : [n][4]u64 =
  let (rot, dst) = rho_pi
  let rc = constants
  in map (digest rot dst rc) msgs
