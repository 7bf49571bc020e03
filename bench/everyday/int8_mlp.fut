-- Two quantized layers: bytes times bytes summed in 32 bits, requantized by a multiplier and a rounding shift per channel.
def requant (mult: i32) (shift: i64) (acc: i32) : i8 =
  let p = i64.i32 acc * i64.i32 mult
  let r = (p + (1 << (shift - 1))) >> shift
  in i8.i64 (i64.max (-128) (i64.min 127 r))

def linear [d] [h] (w: [h][d]i8) (b: [h]i32) (x: [d]i8) : [h]i32 =
  map2 (\row bias -> bias + reduce (+) 0 (map2 (\a c -> i32.i8 a * i32.i8 c) row x)) w b

def small (x: i32) = x >> 20
def multiplier (x: i32) = 64 + (x & 63)

def layer [n] [d] [h] (act: i8 -> i8) (w: [h][d]i8) (b: [h]i32) (m: [h]i32) (xs: [n][d]i8) : [n][h]i8 =
  map (\x -> linear w (map small b) x |> map2 (\k a -> act (requant (multiplier k) 17 a)) m) xs

entry main [n] [d] [h] [o] (xs: [n][d]i8) (w1: [h][d]i8) (b1: [h]i32) (m1: [h]i32)
                           (w2: [o][h]i8) (b2: [o]i32) (m2: [o]i32) : ([n][o]i8, [n]i32, i64) =
  let hidden = layer (i8.max 0) w1 b1 m1 xs
  let out = layer id w2 b2 m2 hidden
  let best = map (\r -> reduce (\a b -> if a.0 >= b.0 then a else b) (-128, 0) (zip r (map i32.i64 (iota o)))) out
  let alive = i64.sum (map (\r -> i64.sum (map (\v -> i64.bool (v > 0)) r)) hidden)
  in (out, map (.1) best, alive)
