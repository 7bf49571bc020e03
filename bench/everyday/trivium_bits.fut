-- Bit-sliced Trivium: 64 keystreams per thread, registers as ring buffers of u64 lanes, keystream xor-folded per lane.
def ring : i64 = 288

entry main [n] (warm: i64) (bits: i64) (key: [n][80]u64) (iv: [n][80]u64) : ([n][64]u16, [n]u64) =
  let run (k: [80]u64) (v: [80]u64) =
    -- a: 0..92, b: 93..176, c: 177..287; the heads move instead of the data
    let s0 = tabulate ring (\i ->
      if i < 80 then k[i]
      else if i >= 93 && i < 173 then v[i - 93]
      else if i >= 285 then u64.highest else 0)
    let at (s: [ring]u64) base len head i = s[base + (head + i) % len]
    let tick (s: *[ring]u64) (t: i64) : (*[ring]u64, u64) =
      let ha = (93 - t % 93) % 93
      let hb = (84 - t % 84) % 84
      let hc = (111 - t % 111) % 111
      let a i = at s 0 93 ha i
      let b i = at s 93 84 hb i
      let c i = at s 177 111 hc i
      let t1 = a 65 ^ a 92
      let t2 = b 68 ^ b 83
      let t3 = c 65 ^ c 110
      let z = t1 ^ t2 ^ t3
      let na = t3 ^ (c 108 & c 109) ^ a 68
      let nb = t1 ^ (a 90 & a 91) ^ b 77
      let nc = t2 ^ (b 81 & b 82) ^ c 86
      let s = s with [(ha + 92) % 93] = na
      let s = s with [93 + (hb + 83) % 84] = nb
      let s = s with [177 + (hc + 110) % 111] = nc
      in (s, z)
    let s = loop s = s0 for t < warm do (tick s t).0
    let (_, last, fold) =
      loop (s, out, fold) = (s, replicate 16 0u64, 0u64) for t < bits do
        let (s, z) = tick s (warm + t)
        in (s, out with [t % 16] = z, fold ^ (z << u64.i64 (t % 7)))
    let lanes = tabulate 64 (\l ->
      loop w = 0u16 for j < 16 do (w << 1) | u16.u64 ((last[j] >> u64.i64 l) & 1))
    in (lanes, fold)
  in unzip (map2 run key iv)
