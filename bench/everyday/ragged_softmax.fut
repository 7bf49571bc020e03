-- Softmax over ragged segments given by flags: segmented maximum and sum, totals broadcast back from the segments' last elements.
def segscan 't [n] (op: t -> t -> t) (ne: t) (fs: [n]bool) (xs: [n]t) : [n]t =
  let (_, r) = unzip (scan (\(f, a) (g, b) -> (f || g, if g then b else op a b)) (false, ne) (zip fs xs))
  in r

entry main [n] (marks: [n]u8) (x: [n]f32) (tau: f32) : ([n]f32, []f32, i64) =
  let flag = map2 (\i m -> i == 0 || m % 37 == 0) (iota n) marks
  let seg = map (\s -> s - 1) (scan (+) 0 (map i64.bool flag))
  let isLast = tabulate n (\i -> i == n - 1 || flag[i+1])
  let k = i64.sum (map i64.bool flag)
  let slot = map2 (\l s -> if l then s else -1) isLast seg
  let z = map (\v -> v * (4 + tau)) x
  let mx = scatter (replicate k 0) slot (segscan f32.max (-f32.inf) flag z)
  let e = map2 (\v s -> f32.exp (v - mx[s])) z seg
  let run = segscan (+) 0 flag e
  let tot = scatter (replicate k 1) slot run
  let p = map2 (\v s -> v / tot[s]) e seg
  let lse = map2 (\m t -> m + f32.log t) mx tot
  in (p, lse, k)
