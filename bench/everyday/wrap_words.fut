-- Greedy word wrap of a long text: next-line links by binary search, line starts by pointer doubling, ragged-edge costs.
entry main [n] (width: i64) (lens: [n]u8) : (i64, [n]i32, f32) =
  let w = map (\x -> i64.min width (1 + i64.u8 (x % 11))) lens
  let sums = [0] ++ scan (+) 0 (map (+ 1) w)
  let next = map (\i ->
      -- the last j with words i..j-1 fitting: sums[j] - sums[i] - 1 <= width
      let (lo, _) = loop (lo, hi) = (i + 1, i64.min n (i + width)) while lo < hi do
        let mid = (lo + hi + 1) / 2
        in if sums[mid] - sums[i] - 1 <= width then (mid, hi) else (lo, mid - 1)
      in lo) (iota n)
  let jumps = next ++ [n]
  let rounds = i64.i32 (64 - i64.clz n)
  let first = replicate (n + 1) false with [0] = true
  let (starts, _) =
    loop (mark, jump) = (first, jumps :> [n + 1]i64) for _r < rounds do
      let to = map2 (\m j -> if m then j else -1) mark jump
      in (scatter (copy mark) to (replicate (n + 1) true), map (\j -> jump[j]) jump)
  let line = scan (+) 0 (map i32.bool (take n starts))
  let cost = map3 (\i s j -> if s && j < n
                             then let slack = f32.i64 (width - (sums[j] - sums[i] - 1)) in slack * slack * slack
                             else 0) (iota n) (take n starts) next
  let lines = i64.sum (map i64.bool (take n starts))
  in (lines, map (\l -> l - 1) line, f32.sum cost / f32.i64 lines)
