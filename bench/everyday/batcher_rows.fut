-- Batcher odd-even merge sort of the rows of a matrix with payloads (any width), then trimmed means and medians per row.
def exchange [w] (key: [w]u32) (p: i64) (k: i64) : [w]u32 =
  -- element i meets i + k when i is in an even run of k, past the first k mod p, inside one block of 2p
  let partner_up i =
    let j = i - k % p
    in j >= 0 && (j / k) % 2 == 0 && i + k < w && i / (2 * p) == (i + k) / (2 * p)
  let partner_down i = i - k >= 0 && partner_up (i - k)
  in tabulate w (\i ->
       if partner_up i then u32.min key[i] key[i + k]
       else if partner_down i then u32.max key[i] key[i - k]
       else key[i])

entry main [n][w] (xs: [n][w]f32) : ([n]f32, [n]f32, [n][w]i64) =
  let idx = i64.max 1 (w - 1)
  let bits = u32.i32 (64 - i64.clz idx)
  let sort (r: [w]f32) =
    let key = map2 (\x i -> (u32.f32 (x * 65535) << bits) | u32.i64 i) r (iota w)
    let (key, _) = loop (key, p) = (key, 1i64) while p < w do
      let (key, _) = loop (key, k) = (key, p) while k >= 1 do (exchange key p k, k / 2)
      in (key, p * 2)
    in map (\k -> i64.u32 (k & ((1 << bits) - 1))) key
  let one (r: [w]f32) =
    let ord = sort r
    let v i = r[ord[i]]
    let cut = w / 10
    let tm = f32.sum (tabulate w (\i -> if i < cut || i >= w - cut then 0 else v i)) / f32.i64 (w - 2 * cut)
    in (tm, 0.5 * (v (w / 2) + v ((w - 1) / 2)), ord)
  in unzip3 (map one xs)
