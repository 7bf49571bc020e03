-- uniq -c over a text: a polynomial hash per line (segmented scan of affine maps), equal neighbours merged, counts of the runs.
module hash = {
  type t = {f: bool, m: u64, a: u64}
  def ne : t = {f = false, m = 1, a = 0}
  def op (x: t) (y: t) : t = if y.f then y else {f = x.f || y.f, m = x.m * y.m, a = x.a * y.m + y.a}
  def lift (f: bool) (c: u8) : t = {f, m = 0x100000001b3, a = u64.u8 c + 1}
}

entry main [n] (raw: [n]u8) : ([]u64, []i64, i64) =
  let text = map (\x -> if x < 100 then 10u8 else 97 + x % 2) raw
  let first = tabulate n (\i -> i == 0 || text[i-1] == 10)
  let h = scan hash.op hash.ne (map2 hash.lift first text)
  let ends = filter (\i -> i == n - 1 || text[i] == 10) (iota n)
  let lines = map (\i -> h[i].a) ends
  let isNew = map2 (\j l -> j == 0 || l != lines[j-1]) (indices lines) lines
  let runs = map (\x -> x - 1) (scan (+) 0 (map i64.bool isNew))
  let k = i64.sum (map i64.bool isNew)
  let counts = hist (+) 0 k runs (map (const 1) runs)
  let names = scatter (replicate k 0) (map2 (\f r -> if f then r else -1) isNew runs) lines
  in (names, counts, i64.maximum (map2 (\c l -> c * i64.u64 (l % 8)) counts names) |> i64.max 0)
