-- HyperLogLog: distinct keys counted by the longest run of zeros in each of 4096 registers.
def hash (k: i32) : u32 =
  let x = u32.i32 k * 0xcc9e2d51
  let x = (x << 15 | x >> 17) * 0x1b873593
  let x = (x ^ (x >> 16)) * 0x85ebca6b
  let x = (x ^ (x >> 13)) * 0xc2b2ae35
  in x ^ (x >> 16)

entry main [n] (modulus: i32) (keys: [n]i32) : ([4096]u8, f64) =
  let hs = map (\k -> hash ((k & 0x7fffffff) % modulus)) keys
  let rank (h: u32) = u8.i32 (1 + i32.min 20 (u32.clz (h << 12)))
  let regs = hist u8.max 0 4096 (map (\h -> i64.u32 (h >> 20)) hs) (map rank hs)
  let z = f64.sum (map (\r -> 1 / f64.i64 (1 << i64.u8 r)) regs)
  let raw = 0.7213 / (1 + 1.079 / 4096) * 4096 * 4096 / z
  let empty = i64.sum (map (\r -> i64.bool (r == 0)) regs)
  in (regs, if raw < 10240 && empty > 0 then 4096 * f64.log (4096 / f64.i64 empty) else raw)
