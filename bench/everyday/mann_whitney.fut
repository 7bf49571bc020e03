-- Mann-Whitney U test of two groups: one-bit radix sort, midranks for ties by scans, tie-corrected z.
def split_bit [n] (b: i32) (ps: [n](u32, bool)) : [n](u32, bool) =
  let one = map (\(k, _) -> i64.i32 (u32.get_bit b k)) ps
  let os = scan (+) 0 one
  let zs = map2 (\i o -> i + 1 - o) (iota n) os
  let nz = if n == 0 then 0 else zs[n - 1]
  let dst = map3 (\b z o -> if b == 0 then z - 1 else nz + o - 1) one zs os
  in scatter (copy ps) dst ps

entry main [n] (xs: [n]f32) (gs: [n]u8) : (f64, f64, f64) =
  let keys = map (\x -> u32.f32 (x * 16383)) xs
  let sorted = loop ps = zip keys (map (\g -> g % 3 == 0) gs) for b < 14 do split_bit b ps
  let (ks, gr) = unzip sorted
  let starts = map (\i -> i == 0 || ks[i] != ks[i - 1]) (iota n)
  let ends = map (\i -> i == n - 1 || ks[i] != ks[i + 1]) (iota n)
  let first = scan i64.max 0 (map2 (\s i -> if s then i else 0) starts (iota n))
  let last = map2 (\e i -> if e then i else n - 1) ends (iota n)
             |> reverse |> scan i64.min i64.highest |> reverse
  let rank = map2 (\a b -> f64.i64 (a + b) * 0.5 + 1) first last
  let n1 = f64.i64 (i64.sum (map i64.bool gr))
  let n2 = f64.i64 n - n1
  let r1 = f64.sum (map2 (\r g -> if g then r else 0) rank gr)
  let ties = f64.sum (map3 (\s a b -> if s then let t = f64.i64 (b - a + 1) in t * t * t - t else 0) starts first last)
  let u = r1 - n1 * (n1 + 1) / 2
  let nn = f64.i64 n
  let var = n1 * n2 / 12 * (nn + 1 - ties / f64.max 1 (nn * (nn - 1)))
  let z = if var > 0 then (u - n1 * n2 / 2) / f64.sqrt var else 0
  in (u, z, ties)
