-- X25519 scalar multiplication (Montgomery ladder, 16 limbs of 16 bits in i64) for many scalars and base points.
type fe = [16]i64

def carry (o: *fe) : *fe =
  loop o for i < 16 do
    let c = o[i] >> 16
    let o[i] = o[i] - (c << 16)
    in if i < 15 then o with [i + 1] = o[i + 1] + c else o with [0] = o[0] + 38 * c

def fadd (a: fe) (b: fe) : *fe = map2 (+) a b
def fsub (a: fe) (b: fe) : *fe = map2 (-) a b

def fmul (a: fe) (b: fe) : *fe =
  let t =
    loop t = replicate 31 0 for i < 16 do
      loop t for j < 16 do t with [i + j] = t[i + j] + a[i] * b[j]
  let o = tabulate 16 (\i -> if i < 15 then t[i] + 38 * t[i + 16] else t[i])
  in carry (carry o)

def inv (x: fe) : fe =
  loop c = x for k < 254 do
    let s = 253 - k
    let c = fmul c c
    in if s != 2 && s != 4 then fmul c x else c

def small (k: i64) : fe = tabulate 16 (\i -> if i == 0 then k else 0)
def a24 : fe = tabulate 16 (\i -> if i == 0 then 0xDB41 else if i == 1 then 1 else 0)

def pack (x: fe) : [16]u16 =
  let x = carry (carry (carry (copy x)))
  let sub (t: fe) =
    let m = loop m = replicate 16 0 for i < 16 do
        let p = if i == 0 then 0xffed else if i == 15 then 0x7fff else 0xffff
        let borrow = if i == 0 then 0 else (m[i - 1] >> 16) & 1
        let m = if i == 0 then m else m with [i - 1] = m[i - 1] & 0xffff
        in m with [i] = t[i] - p - borrow
    let neg = (m[15] >> 16) & 1
    in if neg == 1 then t else m
  in map u16.i64 (sub (sub x))

def cswap (r: bool) (a: fe) (b: fe) : (fe, fe) = if r then (b, a) else (a, b)

def ladder (k: [16]i64) (x: fe) : fe =
  let bit i =
    let v = (k[i / 16] >> (i % 16)) & 1
    in if i == 255 then 0 else if i == 254 then 1 else if i < 3 then 0 else v
  let (a, _, c, _) =
    loop (a: fe, b: fe, c: fe, d: fe) = (small 1, x, small 0, small 1) for s < 255 do
      let r = bit (254 - s) == 1
      let (a, b) = cswap r a b
      let (c, d) = cswap r c d
      let e = fadd a c
      let a = fsub a c
      let c = fadd b d
      let b = fsub b d
      let d = fmul e e
      let f = fmul a a
      let a = fmul c a
      let c = fmul b e
      let e = fadd a c
      let a = fsub a c
      let b = fmul a a
      let c = fsub d f
      let a = fadd (fmul c a24) d
      let c = fmul c a
      let a = fmul d f
      let d = fmul b x
      let b = fmul e e
      let (a, b) = cswap r a b
      let (c, d) = cswap r c d
      in (a, b, c, d)
  in fmul a (inv c)

def main [n] (scalars: [n][16]u16) (points: [n][16]u16) : [n][16]u16 =
  map2 (\k p -> pack (ladder (map i64.u16 k) (tabulate 16 (\i -> i64.u16 (if i == 15 then p[i] & 0x7fff else p[i])))))
       scalars points
