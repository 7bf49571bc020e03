-- A program without a kernel: scalar arithmetic, branches and loops on the host.
-- ==
-- entry: collatz
-- input { 27i64 } output { 111 }
-- input { 1i64 } output { 0 }

-- ==
-- entry: mean
-- input { 3.0f32 4.0f32 } output { 3.5f32 true }

-- ==
-- entry: nothing
-- input { } output { 42 }

entry collatz (n: i64) : i32 =
  let (_, steps) = loop (n, steps) = (n, 0) while n != 1 do (if n % 2 == 0 then n / 2 else 3 * n + 1, steps + 1)
  in steps

entry mean (a: f32) (b: f32) : (f32, bool) = ((a + b) / 2, a < b)

entry nothing : i32 = 42
