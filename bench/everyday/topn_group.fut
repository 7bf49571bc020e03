-- The three largest amounts in every group in one keyed reduction, their sum, and each group's count.
type top = (i32, i32, i32)

def none : top = (i32.lowest, i32.lowest, i32.lowest)

def insert ((a, b, c): top) (x: i32) : top =
  if x > a then (x, a, b) else if x > b then (a, x, b) else if x > c then (a, b, x) else (a, b, c)

def merge (s: top) ((x, y, z): top) : top = insert (insert (insert s x) y) z

entry main [n] (groups: i64) (keys: [n]i32) (amounts: [n]i32) : ([groups][3]i32, [groups]i64, [groups]i32) =
  let ks = map (\k -> i64.i32 (k & 0x7fffffff) % groups) keys
  let tops = reduce_by_index (replicate groups none) merge none ks
                             (map (\a -> (a >> 8, i32.lowest, i32.lowest)) amounts)
  let counts = hist (+) 0i32 groups ks (replicate n 1)
  let value x = if x == i32.lowest then 0 else i64.i32 x
  in (map (\(a, b, c) -> [a, b, c]) tops, map (\(a, b, c) -> value a + value b + value c) tops, counts)
