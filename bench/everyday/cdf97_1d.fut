-- CDF 9/7 wavelet shrinkage of many signals: lifting with symmetric borders, several levels packed in one buffer, soft threshold, inverse transform.
def a1 : f32 = -1.586134342
def a2 : f32 = -0.05298011854
def a3 : f32 = 0.8829110762
def a4 : f32 = 0.4435068522
def kk : f32 = 1.149604398

-- detail samples sit at odd places; d has n/2 entries, s has n - n/2
def ref k i = i64.max 0 (i64.min (k-1) i)

def forward [n] (x: [n]f32) : [n]f32 =
  let nd = n / 2
  let ns = n - nd
  let s0 = tabulate ns (\i -> x[2*i])
  let d0 = tabulate nd (\i -> x[2*i+1])
  let ld a s d = tabulate nd (\i -> d[i] + a * (s[i] + s[ref ns (i+1)]))
  let ls a d s = tabulate ns (\i -> if nd == 0 then s[i] else s[i] + a * (d[ref nd (i-1)] + d[ref nd i]))
  let d1 = ld a1 s0 d0
  let s1 = ls a2 d1 s0
  let d2 = ld a3 s1 d1
  let s2 = ls a4 d2 s1
  in (map (* kk) s2 ++ map (/ kk) d2) :> [n]f32

def inverse [n] (y: [n]f32) : [n]f32 =
  let nd = n / 2
  let ns = n - nd
  let s2 = map (/ kk) (y[:ns] :> [ns]f32)
  let d2 = map (* kk) (y[ns:] :> [nd]f32)
  let ld a s d = tabulate nd (\i -> d[i] - a * (s[i] + s[ref ns (i+1)]))
  let ls a d s = tabulate ns (\i -> if nd == 0 then s[i] else s[i] - a * (d[ref nd (i-1)] + d[ref nd i]))
  let s1 = ls a4 d2 s2
  let d1 = ld a3 s1 d2
  let s0 = ls a2 d1 s1
  let d0 = ld a1 s0 d1
  in tabulate n (\i -> if i % 2 == 0 then s0[i/2] else d0[i/2])

def size (n: i64) (l: i64) : i64 = loop m = n for _i < l do m - m/2

entry main [c][n] (levels: i64) (thr: f32) (sigs: [c][n]f32) : ([c][n]f32, f32) =
  let dec = loop b = copy sigs for l < levels do
    let m = size n l
    in b with [:, :m] = map (\r -> forward (r[:m])) b
  let base = size n levels
  let soft i v = if i < base then v else f32.sgn v * f32.max 0 (f32.abs v - thr)
  let shr = map (map2 soft (iota n)) dec
  let rec = loop b = shr for k < levels do
    let m = size n (levels - 1 - k)
    in b with [:, :m] = map (\r -> inverse (r[:m])) b
  in (rec, f32.sum (flatten (map2 (map2 (\a b -> (a-b)**2)) rec sigs)) / f32.i64 (c*n))
