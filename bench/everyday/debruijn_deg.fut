-- De Bruijn graph of a read set: k-mer multiplicities, in- and out-degrees of the (k-1)-mers, junctions, tips and imbalance.
entry main [r][l] (kk: i64) (minc: i32) (reads: [r][l]u8) : ([6]i64, []i8) =
  let k = 3 + i64.max 0 kk % 9
  let ne = 1 << (2 * k)
  let nn = ne / 4
  let per = i64.max 0 (l - k + 1)
  let kmers = map (\read ->
    tabulate per (\i -> loop w = 0 for j < k do
      let b = i64.u8 (read[i + j])
      in w * 4 + (if b < 40 then 0 else if b < 150 then 1 else if b < 230 then 2 else 3))) reads
  let mult = hist (+) 0i32 ne (flatten kmers) (replicate (r * per) 1)
  let edge = map (>= i32.max 1 minc) mult
  let deg = tabulate nn (\u ->
    loop (i, o) = (0i8, 0i8) for c < 4 do
      (i + i8.bool edge[c * nn + u], o + i8.bool edge[u * 4 + c]))
  let count p = i64.sum (map (\d -> i64.bool (p d)) deg)
  let imbalance = i64.sum (tabulate nn (\u ->
    let (i, o) = loop (i, o) = (0i64, 0i64) for c < 4 do
      (i + i64.i32 mult[c * nn + u], o + i64.i32 mult[u * 4 + c])
    in i64.abs (i - o)))
  in ([ count (\(i, o) -> i + o > 0), count (\(i, o) -> i == 0 && o > 0), count (\(i, o) -> i > 0 && o == 0)
      , count (\(i, o) -> i == 1 && o == 1), count (\(i, o) -> i > 1 || o > 1), imbalance ]
     , map (\(i, o) -> i * 5 + o) deg)
