-- A chain of borrows, as in arithmetic on long numbers: each step depends on the one before in two ways, so that whoever
-- looks at each way of a step again for the next takes twice as long with every step.
-- ==
-- input { [0u64, 1u64, 100u64, 18446744073709551615u64, 5u64, 12u64] [1u64, 0u64, 9u64, 2u64, 9223372036854775808u64, 18446744073709551615u64] }
-- output { [18446744073709551577u64, 3u64, 18446744073709551593u64, 18446744073709551541u64, 18446744073709551614u64, 40u64] }
-- compiled random input { [100]u64 [100]u64 } auto output

def step (y: u64) (r: u64, c: u64) : (u64, u64) =
  let s = r - y - c
  in (s, u64.bool (if c > 0 then r <= s else r < s))

entry main [n] (xs: [n]u64) (ys: [n]u64) : [n]u64 =
  map2 (\x y ->
          let f = step y
          let (r, c) = f (f (f (f (f (f (f (f (f (f (f (f (x, 0))))))))))))
          in 3 * r + c)
       xs ys
