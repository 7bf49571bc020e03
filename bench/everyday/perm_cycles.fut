-- Unranking of permutations in factorial base: cycle lengths, order, inversions, descents and sign of each, distributions over all.
def gcd (a: i64) (b: i64) : i64 =
  (loop (a, b) = (a, b) while b != 0 do (b, a % b)).0

def main [m] (n0: i64) (ranks: [m]u64) =
  let n = i64.max 1 (i64.min 16 n0)
  let analyse (r: u64) =
    let (_, code) = loop (r, c) = (r, replicate n 0i8) for i < n do
                      (r / u64.i64 (i + 1), c with [n - 1 - i] = i8.u64 (r % u64.i64 (i + 1)))
    let inversions = loop s = 0i32 for c in code do s + i32.i8 c
    -- each digit picks from the numbers left
    let (perm, _) =
      loop (perm, left) = (replicate n 0i8, map i8.i64 (iota n)) for i < n do
        let d = i64.i8 code[i]
        let v = left[d]
        let left = loop left for j in d ..< (n - 1 - i) do
                     let x = left[j + 1]
                     in left with [j] = x
        in (perm with [i] = v, left)
    let (_, cycles, order, longest) =
      loop (seen, cycles, order, longest) = (replicate n false, 0i32, 1i64, 0i64) for i < n do
        if seen[i] then (seen, cycles, order, longest)
        else let (seen, _, len) =
               loop (seen, j, len) = (seen, i, 0) while not seen[j] do
                 (seen with [j] = true, i64.i8 perm[j], len + 1)
             in (seen, cycles + 1, order / gcd order len * len, i64.max longest len)
    let descents = loop s = 0i32 for i < n - 1 do s + i32.bool (perm[i] > perm[i + 1])
    in (cycles, i32.i64 order, inversions, descents, i32.i64 longest)
  let (cycles, order, inv, desc, longest) = unzip5 (map analyse ranks)
  let dist size xs = reduce_by_index (replicate size 0i32) (+) 0 (map i64.i32 xs) (replicate m 1)
  let sign = i32.sum (map (\i -> 1 - 2 * (i % 2)) inv)
  in (order, dist (n + 1) cycles, dist (n * n) inv, dist (n + 1) desc, dist (n + 1) longest, sign)
