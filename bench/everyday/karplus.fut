-- Karplus-Strong plucked strings: noise-filled ring buffers per string, rendered in blocks and mixed down to stereo.
def main [s][p] (blocks: i32) (block: i64) (noise: [s][p]i8) (pitch: [s]u8) (pan: [s]f32) : ([][2]f32, f32) =
  let period = map (\q -> i64.max 1 (p - i64.u8 q % (p / 2 + 1))) pitch
  let strings = map (map (\x -> f32.i8 x / 128)) noise
  let render (ring: [p]f32) (at: i64) (len: i64) : (*[block]f32, *[p]f32, i64) =
    loop (out, ring, at) = (replicate block 0f32, copy ring, at) for i < block do
      let nxt = if at + 1 >= len then 0 else at + 1
      let y = ring[at]
      let ring[at] = 0.996 * 0.5 * (y + ring[nxt])
      in (out with [i] = y, ring, nxt)
  let mixes = replicate (i64.i32 blocks) (replicate block [0f32, 0f32])
  let (mixes, rings, _) =
    loop (mixes, rings, ats) = (mixes, strings, replicate s 0) for b < blocks do
      let (outs, rings, ats) = unzip3 (map3 render rings ats period)
      let side g = map (\col -> f32.sum (map2 (*) col g)) (transpose outs)
      let left = side (map (1 -) pan)
      let right = side pan
      in (mixes with [b] = map2 (\l r -> [l, r]) left right, rings, ats)
  in (flatten mixes, f32.sum (map (\r -> f32.sum (map f32.abs r)) rings))
