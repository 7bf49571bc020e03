-- Union of intervals: radix sort by the start, running maximum of the ends, one group for each gap; lengths of the merged intervals and of the deepest overlap.
def radix_step [n] 't (bit: i32) (xs: [n](i32, t)) : [n](i32, t) =
  let ones = map (\(k, _) -> i64.i32 ((k >> bit) & 1)) xs
  let up = scan (+) 0 ones
  let zeros = n - (if n == 0 then 0 else up[n - 1])
  let to = map3 (\i b u -> if b == 1 then zeros + u - 1 else i - u) (iota n) ones up
  in scatter (copy xs) to xs

def sort_by_key [n] 't (bits: i32) (xs: [n](i32, t)) : [n](i32, t) =
  loop xs for b < bits do radix_step b xs

entry main [n] (bits: i32) (starts: [n]i32) (lengths: [n]u8) : ([]i32, []i32, [n]i32, i64, i32) =
  let mask = (1 << bits) - 1
  let raw = map3 (\i s l -> (s & mask, (1 + i32.u8 l / 4, i))) (iota n) starts lengths
  let sorted = sort_by_key bits raw
  let begin = map (.0) sorted
  let end = map (\(s, (l, _)) -> s + l) sorted
  let reach = scan i32.max i32.lowest end
  let first = map2 (\i s -> i == 0 || s > reach[i - 1]) (iota n) begin
  let group = scan (+) 0 (map i64.bool first)
  let groups = last group
  let lo = scatter (replicate groups 0i32) (map2 (\f g -> if f then g - 1 else -1) first group) begin
  let hi = reduce_by_index (replicate groups 0i32) i32.max 0 (map (+ (-1)) group) end
  let covered = i64.sum (map2 (\a b -> i64.i32 (b - a)) lo hi)
  -- depth of overlap: starts up, ends down, summed along the axis
  let size = i64.i32 mask + 70
  let deltas =
    reduce_by_index (replicate size 0i32) (+) 0
      (map i64.i32 (begin ++ end)) (replicate n 1 ++ replicate n (-1))
  let depth = i32.maximum (scan (+) 0 deltas)
  -- the group of each interval in its original position
  let owner = scatter (replicate n 0i32) (map (\(_, (_, i)) -> i) sorted) (map i32.i64 group)
  in (lo, hi, owner, covered, depth)
