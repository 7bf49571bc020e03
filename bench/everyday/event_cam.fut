-- Event camera simulation: ON/OFF events from log intensity changes of a video, time surface, isolated event removal.
def ilog (x: u8) : i32 =
  let v = i32.u8 x + 1
  let k = 31 - i32.clz v
  in (k << 5) + ((v << 5) >> k) - 32

def main [t][h][w] (thr0: i32) (frames: [t][h][w]u8) =
  let thr = i32.max 1 (thr0 % 64)
  let pixel (y: i64) (x: i64) =
    let r0 = if t == 0 then 0 else ilog frames[0, y, x]
    let (_, on, off, last) =
      loop (ref, on, off, last) = (r0, 0i32, 0i32, -1i32) for k < t do
        let l = ilog frames[k, y, x]
        let n = (i32.abs (l - ref)) / thr
        in if n == 0 then (ref, on, off, last)
           else if l > ref then (ref + n * thr, on + n, off, i32.i64 k)
           else (ref - n * thr, on, off + n, i32.i64 k)
    in (on, off, last)
  let px = tabulate_2d h w pixel
  let on = map (map (.0)) px
  let off = map (map (.1)) px
  let last = map (map (.2)) px
  -- events must be supported by a neighbour that fired at most 2 frames before
  let supported y x =
    loop s = false for k < 9 do
      let (yy, xx) = (y + k / 3 - 1, x + k % 3 - 1)
      in s || (k != 4 && yy >= 0 && yy < h && xx >= 0 && xx < w
               && last[yy, xx] >= 0 && i32.abs (last[yy, xx] - last[y, x]) <= 2)
  let keep = tabulate_2d h w (\y x -> last[y, x] >= 0 && supported y x)
  let polarity = map3 (map3 (\k a b -> if k then i16.i32 (a - b) else 0)) keep on off
  let surface = map2 (map2 (\k l -> if k then f32.exp (f32.i32 (l - i32.i64 t) * 0.25) else 0)) keep last
  let rate = map (\r -> i32.sum (map i32.bool r)) keep
  in (polarity, surface, rate)
