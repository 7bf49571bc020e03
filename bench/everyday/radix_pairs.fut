-- A radix sort of keys with their places, two bits at a time.
def step [n] (b: i32) (xs: [n](u32, i32)) : [n](u32, i32) =
  let bits = map (\(k,_) -> i32.u32 ((k >> u32.i32 b) & 3)) xs
  let flags = map (\v -> (i64.bool (v == 0), i64.bool (v == 1), i64.bool (v == 2), i64.bool (v == 3))) bits
  let sums = scan (\(a,b,c,d) (e,f,g,h) -> (a+e,b+f,c+g,d+h)) (0,0,0,0) flags
  let (na,nb,nc,_) = if n == 0 then (0,0,0,0) else last sums
  let place v (a,b,c,d) = if v == 0 then a - 1 else if v == 1 then na + b - 1 else if v == 2 then na + nb + c - 1 else na + nb + nc + d - 1
  in scatter (copy xs) (map2 place bits sums) xs
def main [n] (keys: [n]u32) : ([n]u32, [n]i32) =
  unzip (loop xs = zip keys (map i32.i64 (iota n)) for i < 16 do step (i*2) xs)
