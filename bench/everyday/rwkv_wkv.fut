-- RWKV time mixing: the numerically safe weighted key-value average of every channel as a scan with a (max, num, den) operator.
type acc = {m: f32, num: f32, den: f32, decay: f32}

-- x is earlier than y; decay is the log decay across a whole stretch
def combine (x: acc) (y: acc) : acc =
  let xm = x.m + y.decay
  let m = f32.max xm y.m
  let a = f32.exp (xm - m)
  let b = f32.exp (y.m - m)
  in {m, num = a * x.num + b * y.num, den = a * x.den + b * y.den, decay = x.decay + y.decay}

def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

def main [b] [t] [c] (w: [c]f32) (u: [c]f32) (k: [b][t][c]f32) (v: [b][t][c]f32) (r: [b][t][c]f32) : [b][t][c]f32 =
  let ne: acc = {m = -1e30, num = 0, den = 0, decay = 0}
  let channel (wc: f32) (uc: f32) (ks: [t]f32) (vs: [t]f32) (rs: [t]f32) : [t]f32 =
    let d = -(f32.exp (2 * wc - 3))
    let states = scan combine ne (map2 (\k v -> {m = 6 * k - 3, num = v - 0.5, den = 1, decay = d}) ks vs)
    in tabulate t (\i ->
                     let past = if i == 0 then ne else states[i - 1]
                     let now: acc = {m = 6 * ks[i] - 3 + uc, num = vs[i] - 0.5, den = 1, decay = 0}
                     let s = combine past now
                     in sigmoid (2 * rs[i] - 1) * s.num / s.den)
  in map3 (\k v r ->
             transpose (map5 channel w u (transpose k) (transpose v) (transpose r)))
          k v r
