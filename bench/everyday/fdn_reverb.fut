-- Feedback delay network reverb: four delay lines mixed by a Hadamard matrix, one voice per thread, delay buffers in scratch.
def maxlen : i64 = 101

def voice [t] (decay: f32) (lens: [4]i64) (xs: [t]f32) : [t]f32 =
  let buf = replicate 4 (replicate maxlen 0f32)
  let (out, _, _, _) =
    loop (out, buf, pos, lp) = (replicate t 0f32, buf, replicate 4 0i64, replicate 4 0f32) for i < t do
      let d = map2 (\k p -> buf[k, p]) (iota 4) pos
      let lp = map2 (\a b -> 0.7 * a + 0.3 * b) d lp
      let (s, u, v, w) = (lp[0] + lp[1], lp[0] - lp[1], lp[2] + lp[3], lp[2] - lp[3])
      let mixed = [s + v, u + w, s - v, u - w]
      let buf = loop buf for k < 4 do
                  buf with [k, pos[k]] = xs[i] - 0.5 + decay * 0.5 * mixed[k]
      let pos = map2 (\p l -> if p + 1 >= l then 0 else p + 1) pos lens
      let out[i] = 0.25 * f32.sum d
      in (out, buf, pos, lp)
  in out

def main [n][t] (decay: f32) (inputs: [n][t]f32) (rooms: [n][4]u8) : ([n][t]f32, [n]f32) =
  let lens = map (map (\r -> 40 + i64.u8 r % (maxlen - 39))) rooms
  let wet = map2 (voice decay) lens inputs
  in (wet, map (\y -> f32.sum (map (\a -> a * a) y)) wet)
