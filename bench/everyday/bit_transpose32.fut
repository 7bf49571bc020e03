-- Transposes 32x32 blocks of bits by swaps of halves, quarters and so on, counts the bits of each plane, and takes prefix parity (Gray decoding) along the planes.
def swap_step [n] (j: i64) (mask: u32) (a: [n]u32) : [n]u32 =
  let s = u32.i64 j
  in tabulate n (\k ->
       if k & j == 0
       then let t = ((a[k] >> s) ^ a[k + j]) & mask in a[k] ^ (t << s)
       else let t = ((a[k - j] >> s) ^ a[k]) & mask in a[k] ^ t)

def transpose32 (a: [32]u32) : [32]u32 =
  let (a, _, _) =
    loop (a, j, m) = (a, 16i64, 0xffffu32) while j != 0 do
      let a' = swap_step j m a
      let j' = j >> 1
      in (a', j', m ^ (m << u32.i64 j'))
  in a

def parity_prefix (x: u32) : u32 = loop x for s in [1, 2, 4, 8, 16] do x ^ (x >> s)

entry main [n] (blocks: [n][32]i32) : ([n][32]u32, [32]i32, [n]u32) =
  let planes = map (\b -> transpose32 (map u32.i32 b)) blocks
  let counts = map (\column -> i32.sum (map u32.popc column)) (transpose planes)
  let marks = map (\b -> reduce (^) 0 (map parity_prefix b)) planes
  in (planes, counts, marks)
