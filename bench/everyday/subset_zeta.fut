-- OR-convolution of two functions of subsets: zeta transforms, product, Moebius transform; and the AND one by complement.
def butterfly [n] 't (op: t -> t -> t) (bits: i64) (f: [n]t) : [n]t =
  loop f for b < bits do
    map2 (\i x -> if (i >> b) & 1 == 1 then op x f[i ^ (1 << b)] else x) (iota n) f

def zeta [n] (bits: i64) (f: [n]i64) = butterfly (+) bits f
def moebius [n] (bits: i64) (f: [n]i64) = butterfly (-) bits f

def or_conv [n] (bits: i64) (f: [n]i64) (g: [n]i64) : [n]i64 =
  moebius bits (map2 (*) (zeta bits f) (zeta bits g))

entry main (bits: i64) (xs: []i32) (ys: []i32) =
  let n = 1 << bits
  let small v = map (\x -> i64.i32 (x & 15)) (take n v)
  let f = small xs
  let g = small ys
  let ors = or_conv bits f g
  let ands = reverse (or_conv bits (reverse f) (reverse g))
  let largest = butterfly i64.max bits f
  in (ors, ands, i64.sum largest, i64.sum ors == i64.sum f * i64.sum g, i64.sum ands == i64.sum ors)
