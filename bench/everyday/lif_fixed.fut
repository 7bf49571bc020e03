-- Integer leaky integrate-and-fire network: fixed fan-in synapses gathered through an index array, delays of one step, rates.
def main [n][k] (steps: i32) (src: [n][k]u32) (weight: [n][k]i8) (drive: [n]u8) : ([n]i32, []i32, [n]i32) =
  let from = map (map (\s -> i32.u32 (s % u32.i64 n))) src
  let gain = map (map (\w -> 4 * (i32.i8 w + 24))) weight
  let t = i64.i32 (i32.max 0 steps)
  let (v, _, _, counts, rate) =
    loop (v, rest, fired, counts, rate) =
      (map (\d -> i32.u8 d * 16) drive, replicate n 0u8, replicate n false, replicate n 0i32, replicate t 0i32)
    for s < t do
      let input = map2 (\is ws -> i32.sum (map2 (\i w -> if fired[i] then w else 0) is ws)) from gain
      let (v, rest, fired) = unzip3 (map4 (\x r i d ->
        if r > 0 then (0, r - 1, false)
        else let x = i32.max (-4096) (x - (x >> 4) + i + i32.u8 d)
             in if x >= 2600 then (0, 2u8, true) else (x, 0, false)) v rest input drive)
      let counts = map2 (\c f -> c + i32.bool f) counts fired
      in (v, rest, fired, counts, rate with [s] = i32.sum (map i32.bool fired))
  in (counts, rate, v)
