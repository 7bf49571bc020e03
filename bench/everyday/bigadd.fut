-- Sums of long numbers in rows of limbs: carries are found with a scan of generate and propagate.
type carry = #kill | #pass | #make

def join (a: carry) (b: carry) : carry =
  match b
  case #pass -> a
  case #kill -> #kill
  case #make -> #make

def add [k] (a: [k]u32) (b: [k]u32) : ([k]u32, bool) =
  let kind x y : carry =
    let s = u64.u32 x + u64.u32 y
    in if s > 0xffffffff then #make else if s == 0xffffffff then #pass else #kill
  let c = scan join #pass (map2 kind a b)
  let made (c: carry) = match c case #make -> true case _ -> false
  let digit i x y = x + y + u32.bool (i > 0 && made c[i - 1])
  in (map3 digit (iota k) a b, k > 0 && made c[k - 1])

entry main [n][k] (a: [n][k]u32) (b: [n][k]u32) : ([n][k]u32, i64, u32) =
  let inverse = map (map u32.not) a
  let (s, c1) = unzip (map2 add a b)
  let (t, c2) = unzip (map2 add s inverse)
  let overflows = i64.sum (map2 (\p q -> i64.bool p + i64.bool q) c1 c2)
  let mixed = reduce (^) 0 (flatten (map2 (map2 (\p q -> p ^ (q << 1))) s t))
  in (s, overflows, mixed)
