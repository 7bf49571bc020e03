-- Modular powers by Montgomery multiplication of 64-bit numbers, and a Fermat test of each base.
module mont = {
  type ctx = {n: u64, ninv: u64, r1: u64, r2: u64}

  def add (n: u64) (a: u64) (b: u64) : u64 =
    let s = a + b
    in if s >= n then s - n else s

  def redc (c: ctx) (hi: u64) (lo: u64) : u64 =
    let q = lo * c.ninv
    let t = u64.mul_hi q c.n
    in if hi >= t then hi - t else hi + c.n - t

  def mul (c: ctx) (a: u64) (b: u64) : u64 = redc c (u64.mul_hi a b) (a * b)

  -- n odd and below 2^63
  def make (n: u64) : ctx =
    let inv = loop x = n for _i < 6i32 do x * (2 - n * x)
    let r1 = loop x = 1u64 for _i < 64i32 do add n x x
    let r2 = loop x = r1 for _i < 64i32 do add n x x
    in {n, ninv = inv, r1, r2}

  def pow (c: ctx) (base: u64) (e: u64) : u64 =
    let (acc, _, _) =
      loop (acc, b, e) = (c.r1, mul c base c.r2, e) while e > 0 do
        (if e & 1 == 1 then mul c acc b else acc, mul c b b, e >> 1)
    in redc c 0 acc
}

entry main [n] (modulus: i64) (bases: [n]i64) (exps: [n]i64) : ([n]u64, [n]bool, i64) =
  let m = u64.i64 modulus | 1
  let c = mont.make m
  let bs = map (\b -> u64.i64 (b & i64.highest) % m) bases
  let es = map (\e -> u64.i64 (e & 0xffffffffffff)) exps
  let powers = map2 (mont.pow c) bs es
  let each (b: i64) =
    let q = u64.i64 (b & 0xffffffff) | 1
    let q = if q < 5 then 5 else q
    in mont.pow (mont.make q) 2 (q - 1) == 1
  let fermat = map each bases
  in (powers, fermat, i64.sum (map i64.bool fermat))
