-- Single-linkage clustering of integer distances: the nearest pair is joined n-1 times; heights and members of the joins.
def argmin [n] (xs: [n]i32) : (i32, i64) =
  reduce_comm (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j))
              (i32.highest, i64.highest)
              (zip xs (iota n))

entry main [n] (d0: [n][n]i32) : ([]i32, []i32, []i32) =
  let joins = n - 1
  let dist = tabulate_2d n n (\i j ->
    if i == j then i32.highest else (d0[i64.min i j, i64.max i j] >> 2) & 0xfffffff)
  let (_, hs, xs, ys) =
    loop (dist, hs, xs, ys) = (dist, replicate joins 0, replicate joins 0, replicate joins 0) for k < joins do
      let (h, at) = argmin (flatten dist)
      let i = at / n
      let j = at % n
      let merged = map3 (\a b c -> if c == i || c == j then i32.highest else i32.min a b) dist[i] dist[j] (iota n)
      let dist' = tabulate_2d n n (\a b ->
        if a == j || b == j then i32.highest
        else if a == i then merged[b]
        else if b == i then merged[a]
        else dist[a, b])
      in (dist', hs with [k] = h, xs with [k] = i32.i64 i, ys with [k] = i32.i64 j)
  in (hs, xs, ys)
