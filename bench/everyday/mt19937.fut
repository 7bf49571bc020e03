-- Many Mersenne twisters, each seeded, twisted once in place and tempered.
def seeded (s: u32) : *[624]u32 =
  let st = replicate 624 s
  in loop st for i in 1..<624 do
       let p = st[i - 1]
       in st with [i] = 1812433253 * (p ^ (p >> 30)) + u32.i64 i

def twist (st: *[624]u32) : *[624]u32 =
  loop st for i < 624 do
    let y = (st[i] & 0x80000000) | (st[(i + 1) % 624] & 0x7fffffff)
    let v = st[(i + 397) % 624] ^ (y >> 1) ^ (if y & 1 == 1 then 0x9908b0df else 0)
    in st with [i] = v

def temper (y: u32) : u32 =
  let y = y ^ (y >> 11)
  let y = y ^ ((y << 7) & 0x9d2c5680)
  let y = y ^ ((y << 15) & 0xefc60000)
  in y ^ (y >> 18)

entry main [n] (seeds: [n]i32) : ([n]u32, [n]f64, [16]i64) =
  let draws = map (\s -> map temper (twist (seeded (u32.i32 s)))) seeds
  let mean row = f64.sum (map (\y -> f64.u32 y / 4294967296) row) / 624
  let spread = hist (+) 0i64 16 (map (\y -> i64.u32 (y >> 28)) (flatten draws)) (replicate (n * 624) 1)
  in (map (reduce (^) 0) draws, map mean draws, spread)
