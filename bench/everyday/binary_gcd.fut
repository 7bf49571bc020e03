-- Stein's binary gcd of pairs, how many are coprime, and how the small gcds are spread.
def gcd (a: u32) (b: u32) : u32 =
  if a == 0 then b else if b == 0 then a else
  let k = u32.ctz (a | b)
  let (x, _) =
    loop (x, y) = (a >> u32.i32 (u32.ctz a), b) while y != 0 do
      let y = y >> u32.i32 (u32.ctz y)
      in (u32.min x y, u32.max x y - u32.min x y)
  in x << u32.i32 k

entry main [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, i64, [16]i64) =
  let gs = map2 (\x y -> gcd (u32.i32 x >> 1) (u32.i32 y >> 1)) xs ys
  let coprime = i64.sum (map (\g -> i64.bool (g == 1)) gs)
  let spread = reduce_by_index (replicate 16 0) (+) 0 (map i64.u32 gs) (map (const 1) gs)
  in (map i32.u32 gs, coprime, spread)
