-- Functions that stay functions, called from the host: with arrays, with several results, from one another.
-- ==
-- input { [1, 2, 3] } output { [20, 24, 28] 7 [14, 18, 22, 200, 100] }
-- input { empty([0]i32) } output { empty([0]i32) 7 [200, 100] }

#[noinline]
def double [n] (xs: [n]i32) : [n]i32 = map (* 2) xs

#[noinline]
def both [n] (xs: [n]i32) (k: i32) : ([n]i32, i32) = (map (+ k) (double xs), k + 1)

#[noinline]
def grown (xs: []i32) : []i32 = xs ++ [100]

entry main [n] (xs: [n]i32) : ([n]i32, i32, []i32) =
  let (ys, k) = both xs 5
  let (zs, k) = both ys k
  in (zs, k, grown (double (grown ys)))
