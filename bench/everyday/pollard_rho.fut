-- Factors of random odd 32-bit numbers by Pollard's rho with Brent's cycle search and batched gcds; several polynomials, limited effort.
def gcd (a: u64) (b: u64) : u64 =
  let (a, _) = loop (a, b) = (a, b) while b != 0 do (b, a % b)
  in a

def step (n: u64) (c: u64) (x: u64) = (x * x + c) % n
def dist (a: u64) (b: u64) = if a > b then a - b else b - a

def rho (n: u64) (c: u64) (limit: i32) : (u64, i32) =
  let (g, _, _, r) =
    loop (g, y, q, r) = (1u64, 2u64, 1u64, 1i32) while g == 1 && r < limit do
      let x = y
      let y = loop y for _i < r do step n c y
      let (y, ys, q, g, _) =
        loop (y, _, q, g, k) = (y, y, q, 1u64, 0i32) while k < r && g == 1 do
          let ys = y
          let (y, q) = loop (y, q) for _j < i32.min 16 (r - k) do
                         let y = step n c y
                         in (y, q * dist x y % n)
          in (y, ys, q, gcd q n, k + 16)
      -- a gcd that swallowed everything is taken back one by one
      let g = if g == n
              then let (_, h) = loop (z, h) = (step n c ys, gcd (dist x (step n c ys)) n) while h == 1 do
                                  let z = step n c z
                                  in (z, gcd (dist x z) n)
                   in h
              else g
      in (g, y, q, 2 * r)
  in (g, r)

def main [m] (limit: i32) (xs: [m]u32) =
  let factor (x: u32) =
    let n = u64.u32 (x | 1)
    let small = loop p = 3u64 while p < 30 && n % p != 0 do p + 2
    in if n < 900 then (n, 0)
       else if small < 30 then (small, 0)
       else loop (f, work) = (1u64, 0i32) for c in [1u64, 3, 5] do
              if f > 1 && f < n then (f, work)
              else let (g, r) = rho n c limit in (g, work + r)
  let (f, work) = unzip (map factor xs)
  let cls = map2 (\x g -> let n = u64.u32 (x | 1) in if g == n || g == 1 then 0i64 else if g < 30 then 1 else 2) xs f
  in (f, work, hist (+) 0 3 cls (replicate m 1i32))
