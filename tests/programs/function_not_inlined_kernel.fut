-- Scalar functions that stay functions, called from threads, from one another, and with several results.
-- ==
-- input { [-3, 0, 4, 11] } output { [0, 0, 9, 38] [false, false, false, true] }
-- compiled random input { [257]i32 } auto output

#[noinline]
def clamp (lo: i32) (hi: i32) (x: i32) : i32 = if x < lo then lo else if x > hi then hi else x

#[noinline]
def steps (x: i32) : (i32, bool) =
  let x = clamp 0 10 x
  in (loop s = 0 for i < x do s + clamp 2 5 i, x == 10)

entry main [n] (xs: [n]i32) : ([n]i32, [n]bool) = unzip (map steps xs)
