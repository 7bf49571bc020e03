-- Strong probable primes: Miller and Rabin's test of many 32-bit numbers, and gaps to the next prime.
def mulmod (m: u64) (a: u64) (b: u64) : u64 = (a * b) % m

def powmod (m: u64) (b: u64) (e: u64) : u64 =
  (loop (r, b, e) = (1, b, e) while e != 0 do
     (if e % 2 == 1 then mulmod m r b else r, mulmod m b b, e / 2)).0

def witness (n: u64) (a: u64) : bool =
  let s = u64.i32 (u64.ctz (n - 1))
  let d = (n - 1) >> s
  let x = powmod n (a % n) d
  in if a % n == 0 || x == 1 || x == n - 1 then false
     else
       let (_, _, ok) = loop (x, i, ok) = (x, 1, false) while i < s && !ok do
         let y = mulmod n x x in (y, i + 1, y == n - 1)
       in !ok

def is_prime (n: u64) : bool =
  if n < 4 then n >= 2
  else if n % 2 == 0 || n % 3 == 0 then n == 3
  else !(any (witness n) [2, 7, 61])

def next_prime (n: u64) : u64 =
  loop q = n | 1 while !(is_prime q) do q + 2

entry main [n] (xs: [n]u32) : (i64, i64, [n]u16) =
  let xs = map (\x -> 5 + u64.u32 x / 2) xs
  let gaps = map (\x -> next_prime x - (x | 1)) xs
  in (i64.sum (map (\g -> i64.bool (g == 0)) gaps), i64.u64 (reduce u64.max 0 gaps), map u16.u64 gaps)
