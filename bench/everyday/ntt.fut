-- A number-theoretic transform modulo 998244353 and its inverse, used to multiply two polynomials cyclically.
module field = {
  type t = u32
  def p : u64 = 998244353
  def mul (a: t) (b: t) : t = u32.u64 (u64.u32 a * u64.u32 b % p)
  def add (a: t) (b: t) : t = let s = a + b in if s >= u32.u64 p then s - u32.u64 p else s
  def sub (a: t) (b: t) : t = if a >= b then a - b else a + u32.u64 p - b
  def pow (a: t) (e: u32) : t =
    (loop (r, a, e) = (1, a, e) while e != 0 do (if e & 1 == 1 then mul r a else r, mul a a, e >> 1)).0
  def inv (a: t) : t = pow a (u32.u64 p - 2)
}

-- Stockham's order: no bit reversal.
def ntt [n] (root: field.t) (bits: i64) (xs: [n]field.t) : [n]field.t =
  let half = n / 2
  let ws = map (\i -> field.pow root (u32.i64 i)) (iota half)
  let stage (xs: [n]field.t) (s: i64) : [n]field.t =
    let out = 1 << s
    in tabulate n (\i ->
         let (block, off) = (i / (2 * out), i % (2 * out))
         let k = off % out
         let a = xs[block * out + k]
         let b = field.mul ws[k * (half / out)] xs[half + block * out + k]
         in if off < out then field.add a b else field.sub a b)
  in loop xs for s < bits do stage xs s

entry main [n] (bits: i64) (as: [n]i32) (bs: [n]i32) : ([n]u32, u32) =
  let prep xs = map (\x -> u32.i32 (x & 0x0fffffff)) xs
  let root = field.pow 3 (u32.u64 ((field.p - 1) / u64.i64 n))
  let fa = ntt root bits (prep as)
  let fb = ntt root bits (prep bs)
  let prod = map2 field.mul fa fb
  let scale = field.inv (u32.i64 n)
  let c = map (field.mul scale) (ntt (field.inv root) bits prod)
  in (c, reduce field.add 0 c)
