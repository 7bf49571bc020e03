-- Moebius and Euler functions of all numbers below n by a sieve over the primes to the root, with their running sums.
def isqrt (n: i64) : i64 =
  let r = i64.f64 (f64.sqrt (f64.i64 n))
  in if r * r > n then r - 1 else if (r + 1) * (r + 1) <= n then r + 1 else r

def strip (p: i64) (x: i64) : i64 =
  loop x while x % p == 0 do x / p

entry main (n: i64) : ([n]i8, [n]i32, i64, i64) =
  let mu0 : *[n]i8 = replicate n 1
  let phi0 : *[n]i64 = iota n
  let rest0 : *[n]i64 = iota n
  let (mu, phi, rest) =
    loop (mu, phi, rest) = (mu0, phi0, rest0) for p in 2...isqrt (i64.max 4 (n - 1)) do
      -- p is prime when nothing smaller has divided it away
      if p < n && rest[p] == p
      then let k = (n - 1) / p
           let at = tabulate k (\i -> (i + 1) * p)
           let m = map (\j -> if j / p % p == 0 then 0i8 else -mu[j]) at
           let f = map (\j -> phi[j] / p * (p - 1)) at
           let r = map (\j -> strip p rest[j]) at
           in (scatter mu at m, scatter phi at f, scatter rest at r)
      else (mu, phi, rest)
  let mu = map3 (\i m r -> if i == 0 then 0 else if r > 1 && (i > 1) then -m else m) (iota n) mu rest
  let phi = map2 (\f r -> if r > 1 then f / r * (r - 1) else f) phi rest
  in (mu, map i32.i64 phi, i64.sum (map i64.i8 mu), i64.sum phi)
