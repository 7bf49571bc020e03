-- Gini coefficient and top-decile share per group: merge sort by ranks on (group, income), segmented scans, one reduction per group.
def rank_in [n] (strict: bool) (xs: [n]u64) (lo0: i64) (hi0: i64) (x: u64) : i64 =
  let (lo, _) = loop (lo, hi) = (lo0, hi0) while lo < hi do
                  let m = (lo + hi) / 2
                  in if (if strict then xs[m] < x else xs[m] <= x) then (m + 1, hi) else (lo, m)
  in lo - lo0

def merge_sort [n] (xs: [n]u64) : [n]u64 =
  let (sorted, _) =
    loop (a, width) = (xs, 1) while width < n do
      let dest = tabulate n (\i ->
        let blk = i / width
        let base = (blk / 2) * 2 * width
        let mid = i64.min n (base + width)
        let top = i64.min n (base + 2 * width)
        in if blk % 2 == 0 then i + rank_in true a mid top a[i]
           else base + (i - mid) + rank_in false a base mid a[i])
      in (scatter (copy a) dest a, 2 * width)
  in sorted

def main [n] (groups0: i64) (who: [n]u16) (income: [n]u32) =
  let groups = i64.max 1 groups0
  let key = map2 (\g x -> (u64.i64 (i64.u16 g % groups) << 32) | u64.u32 (x >> 12) + 1) who income
  let sorted = merge_sort key
  let grp = map (\k -> i64.u64 (k >> 32)) sorted
  let inc = map (\k -> f64.u64 (k & 0xffffffff)) sorted
  let head = tabulate n (\i -> i == 0 || grp[i] != grp[i - 1])
  let segsum (h1, c1, s1) (h2, c2, s2) = if h2 then (h2, c2, s2) else (h1, c1 + c2, s1 + s2)
  let run = scan segsum (false, 0i64, 0f64) (zip3 head (replicate n 1) inc)
  let count = hist (+) 0 groups grp (replicate n 1i64)
  let total = reduce_by_index (replicate groups 0f64) (+) 0 grp inc
  let weighted = reduce_by_index (replicate groups 0f64) (+) 0 grp (map2 (\(_, r, _) x -> f64.i64 r * x) run inc)
  let rich = reduce_by_index (replicate groups 0f64) (+) 0 grp
               (map3 (\g (_, r, _) x -> if 10 * r > 9 * count[g] then x else 0) grp run inc)
  let gini = map3 (\c t w -> if c == 0 then 0 else 2 * w / (f64.i64 c * t) - (f64.i64 c + 1) / f64.i64 c) count total weighted
  let share = map2 (\r t -> if t > 0 then r / t else 0) rich total
  -- the Lorenz curve of everybody against their own group
  let lorenz = map2 (\g (_, _, s) -> f32.f64 (s / total[g])) grp run
  in (gini, share, count, lorenz)
