-- GHASH (GF(2^128) polynomial hash of AES-GCM) of many messages, each under its own key.
module gf128 = {
  type t = (u64, u64)
  def add (a: t) (b: t) : t = (a.0 ^ b.0, a.1 ^ b.1)

  def half ((hi, lo): t) : t =
    let h = (hi >> 1, (lo >> 1) | (hi << 63))
    in if lo & 1 == 1 then (h.0 ^ 0xe100000000000000, h.1) else h

  def mul (x: t) (y: t) : t =
    let step (w: u64) (z, v) =
      loop (z, v) for i < 64 do
        let z = if (w >> u64.i32 (63 - i)) & 1 == 1 then add z v else z
        in (z, half v)
    in (step x.1 (step x.0 ((0, 0), y))).0
}

def main [n] [m] (keys: [n][2]u64) (msgs: [n][m][2]u64) : [n][2]u64 =
  map2 (\k msg ->
          let h = (k[0], k[1])
          let y = loop y = (0, 0) for b in msg do gf128.mul (gf128.add y (b[0], b[1])) h
          let y = gf128.mul (gf128.add y (0, u64.i64 m * 128)) h
          in [y.0, y.1])
       keys msgs
