-- Minimizers of a genome: the least hash of canonical k-mers in each window, kept where it changes.
def hash (x: u64) : u64 =
  let x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd
  let x = (x ^ (x >> 29)) * 0xc4ceb9fe1a85ec53
  in x ^ (x >> 32)

def canonical [n] (k: i64) (seq: [n]u8) (i: i64) : u64 =
  let (fwd, rev) = loop (f, r) = (0, 0) for j < k do
    let b = u64.u8 (seq[i + j] & 3)
    in ((f << 2) | b, r | ((3 - b) << u64.i64 (2 * j)))
  in hash (u64.min fwd rev)

entry main [n] (k: i64) (w: i64) (seq: [n]u8) : (i64, []i64, u64) =
  let kmers = map (canonical k seq) (iota (n - k + 1))
  let count = length kmers - w + 1
  let smaller (a, i) (b, j) = if b < a || (b == a && j < i) then (b, j) else (a, i)
  let mins = tabulate count (\s ->
    (loop best = (kmers[s], s) for j < w - 1 do smaller best (kmers[s + j + 1], s + j + 1)).1)
  let keep = map (\s -> s == 0 || mins[s] != mins[s - 1]) (iota count)
  let at = map (.0) (filter (.1) (zip mins keep))
  in (length at, at, reduce (^) 0 (map (\i -> kmers[i] + u64.i64 i) at))
