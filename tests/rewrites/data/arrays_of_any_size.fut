-- Arrays in threads whose sizes differ between threads, or change in loops: arrays_of_any_size.fut_gpu is what
-- `futhark dev -s --extract-kernels -e` makes of it.

entry growing [k] (ns: []i32) (start: [k]i32) =
  map (\n ->
         let xs = loop xs = start for i < i64.i32 (n & 7) do [i32.i64 i] ++ xs ++ [i32.max (i32.i64 (length xs)) 4]
         in (reduce (+) 0 (map2 (\i x -> x * (1 + i32.i64 i % 3)) (indices xs) xs), length xs))
      ns
  |> unzip

entry chosen (ns: []i32) =
  map (\n' -> let n = i64.i32 (n' & 15)
              let xs = if n % 2 == 0 then scan (+) 1 (iota (n + 1)) else map (+ n) (iota n) ++ replicate (n + 5) 2
              in xs[length xs / 2] + length xs - n)
      ns

-- Bins that all threads add to.
entry counted (ns: []i32) (k: i64) =
  reduce_by_index (replicate k 0) (+) 0
                  (map (\n -> let divisors = filter (\d -> n % d == 0) (1...n) in length divisors - 1) ns)
                  (map (\n -> i64.i32 n) ns)

entry checked (ns: []i32) =
  map (\n -> let xs = loop xs = [n] for j < i64.i32 (n & 3) do xs ++ map (+ i32.i64 j) xs in xs[i64.i32 n]) ns
