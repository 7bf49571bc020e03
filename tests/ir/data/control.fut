type shape = #circle i32 | #square i32 i32 | #nothing

def area (s: shape) : i32 =
  match s
  case #circle r -> 3 * r * r
  case #square a b -> a * b
  case #nothing -> 0

entry areas [n] (xs: [n]i32) : [n]i32 =
  map (\x -> area (if x % 3 == 0 then #circle x else if x % 3 == 1 then #square x (x + 1) else #nothing)) xs

entry collatz [n] (xs: [n]i32) : [n]i32 =
  map (\x -> (.0) (loop (steps, y) = (0, x) while y > 1 do
    (steps + 1, if y % 2 == 0 then y / 2 else 3 * y + 1))) xs

entry growing (n: i64) : []i64 = loop xs = [1i64] for i < n do xs ++ map (* (i + 1)) xs

entry sized [n] (b: bool) (xs: [n]i32) : []i32 = if b then xs ++ xs else map (+ 1) (take (n / 2) xs)

#[noinline]
def helper [n] (xs: [n]f64) (k: i64) : f64 = f64.sum (take k xs) / f64.i64 k

entry called [n] (xs: [n]f64) : (f64, f64) = (helper xs n, helper (reverse xs) (n / 2))

def table : [8]i64 = map (\i -> i * i) (iota 8)

entry constants [n] (is: [n]i64) : [n]i64 = map (\i -> table[i]) is
