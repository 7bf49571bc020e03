-- IMA ADPCM: each channel's samples coded in four bits, two a byte, decoded again, with the greatest error.
def step_of (i: i32) : i32 =
  -- about 7 * 1.1^i
  (loop (s: i32) = 7 for _k < i do i32.min 32767 (s + s / 10 + 1))

def adjust (code: i32) : i32 =
  match code & 7
  case 4 -> 2
  case 5 -> 4
  case 6 -> 6
  case 7 -> 8
  case _ -> -1

type state = {pred: i32, index: i32}

def decode (steps: [89]i32) (s: state) (code: i32) : state =
  let st = steps[s.index]
  let d = (st >> 3) + (if code & 4 != 0 then st else 0) + (if code & 2 != 0 then st >> 1 else 0) + (if code & 1 != 0 then st >> 2 else 0)
  let pred = if code & 8 != 0 then s.pred - d else s.pred + d
  in {pred = i32.max (-32768) (i32.min 32767 pred), index = i32.max 0 (i32.min 88 (s.index + adjust code))}

def encode (steps: [89]i32) (s: state) (x: i32) : i32 =
  let diff = x - s.pred
  let sign = if diff < 0 then 8 else 0
  let m = i32.abs diff
  let st = steps[s.index]
  let (c, m) = if m >= st then (4, m - st) else (0, m)
  let (c, m) = if m >= st >> 1 then (c | 2, m - (st >> 1)) else (c, m)
  in sign | (if m >= st >> 2 then c | 1 else c)

entry main [n] [l] (pcm: [n][l]i32) : ([n][]u8, [n]i32, [n]i32) =
  let steps = map (\i -> step_of (i32.i64 i)) (iota 89)
  let half = l / 2
  let channel (xs: [l]i32) =
    let smooth i = let p = if i > 0 then xs[i - 1] >> 17 else 0 in (xs[i] >> 17) + p
    let (out, st, worst) =
      loop (out, st, worst) = (replicate half 0u8, {pred = 0, index = 0}, 0) for i < half do
        let x0 = smooth (2 * i)
        let x1 = smooth (2 * i + 1)
        let c0 = encode steps st x0
        let s0 = decode steps st c0
        let c1 = encode steps s0 x1
        let s1 = decode steps s0 c1
        let e = i32.max (i32.abs (s0.pred - x0)) (i32.abs (s1.pred - x1))
        in (out with [i] = u8.i32 (c0 | (c1 << 4)), s1, i32.max worst e)
    in (out, st.pred, worst)
  in unzip3 (map channel pcm)
