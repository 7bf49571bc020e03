-- Actuarial life table: central exposure and deaths by age from policy records, then lx, ex and annuity values by sex.
type policy = {from: i64, to: i64, died: bool, female: bool}
def omega : i64 = 120

def rev_sums (xs: [omega]f64) : [omega]f64 = reverse (scan (+) 0 (reverse xs))

def table [n] (rate: f64) (ps: [n]policy) (want: bool) =
  let sel = map (\(p: policy) -> p.female == want) ps
  let enter = map2 (\(p: policy) s -> if s then p.from else -1) ps sel
  let leave = map2 (\(p: policy) s -> if s then p.to else -1) ps sel
  let dead = map2 (\(p: policy) s -> if s && p.died then p.to else -1) ps sel
  let d0 = reduce_by_index (replicate omega 0i32) (+) 0 enter (replicate n 1)
  let d1 = reduce_by_index d0 (+) 0 leave (replicate n (-1))
  let deaths = hist (+) 0 omega dead (replicate n 1i32)
  let alive = scan (+) 0 d1
  let q = map2 (\d a -> f64.min 1 ((f64.i32 d + 0.01) / (f64.i32 a + f64.i32 d + 1))) deaths alive
  let surv = scan (*) 1 (map (1-) q)
  let l = map (\i -> if i == 0 then 100000 else 100000 * surv[i - 1]) (iota omega)
  let t = map2 (\s l -> s - 0.5 * l) (rev_sums l) l
  let e = map2 (\t l -> t / f64.max 1e-9 l) t l
  let v = 1 / (1 + rate)
  let disc = map2 (\i l -> l * v ** f64.i64 i) (iota omega) l
  let a = map2 (\n d -> n / f64.max 1e-12 d) (rev_sums disc) disc
  in (deaths, l, e, a)

entry main [n] (rate: f64) (born: [n]f32) (span: [n]f32) (flags: [n]u8) =
  let ps = map3 (\b s f : policy ->
    let from = i64.f32 (b * 70)
    let to = i64.min (omega - 1) (from + 1 + i64.f32 (s * s * 45))
    in {from, to, died = f % 5 < 2, female = f >= 128}) born span flags
  let (d0, l0, e0, a0) = table (0.01 + 0.05 * rate) ps false
  let (d1, l1, e1, a1) = table (0.01 + 0.05 * rate) ps true
  in (d0, d1, l0, l1, e0, e1, a0, a1)
