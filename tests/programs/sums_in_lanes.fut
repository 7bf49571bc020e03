-- Reductions and scans of which a thread works on several parts at a time, with operators that commute and such that do not.
-- ==
-- entry: sums lines prefixes
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 2051i64 } output { true }
-- input { 10007i64 } output { true }

-- The numbers are such that no sum is rounded.
entry sums (n: i64) : bool =
  let xs = map (\i -> f64.i64 (i % 17)) (iota n)
  let ys = map (\i -> f32.i64 (i % 5)) (iota n)
  let expected = loop s = 0 for i < n do s + i % 17
  let products = loop s = 0 for i < n do s + (i % 17) * (i % 5)
  in f64.sum xs == f64.i64 expected && f64.sum (map2 (\x y -> x * f64.f32 y) xs ys) == f64.i64 products

-- x -> a * x + b, one after the other.
def line (i: i64) : (i32, i32) = (i32.i64 (i % 3) - 1, i32.i64 (i % 7))

def after (a: i32, b: i32) (c: i32, d: i32) : (i32, i32) = (a * c, b * c + d)

entry lines (n: i64) : bool =
  let (a, b) = reduce after (1, 0) (map line (iota n))
  let expected = loop l = (1, 0) for i < n do after l (line i)
  in a == expected.0 && b == expected.1

entry prefixes (n: i64) : bool =
  let sums = scan (+) 0f64 (map (\i -> f64.i64 (i % 17)) (iota n))
  let ls = scan after (1, 0) (map line (iota n))
  let (right, _, _) =
    loop (right, s, l) = (true, 0, (1, 0))
    for i < n do
      let s' = s + i % 17
      let l' = after l (line i)
      in (right && sums[i] == f64.i64 s' && ls[i].0 == l'.0 && ls[i].1 == l'.1, s', l')
  in right
