-- Sparse matrix product of two ragged matrices: expand all products, sort them by (row, column), add up equal ones.
def offsets [n] (lens: [n]i64) : [n]i64 = map2 (-) (scan (+) 0 lens) lens

-- for k in 0..<total: which row it belongs to
def owners [n] (total: i64) (lens: [n]i64) : [total]i64 =
  let offs = offsets lens
  let marks =
    reduce_by_index (replicate total 0) i64.max 0
                    (map2 (\o l -> if l > 0 then o else -1) offs lens) (iota n)
  in scan i64.max 0 marks

def radix_sort [n] 't (nbits: i32) (key: t -> i64) (xs: [n]t) : [n]t =
  loop xs for b < nbits do
    let ones = map (\x -> (key x >> i64.i32 b) & 1) xs
    let up = scan (+) 0 ones
    let zeros = if n == 0 then 0 else n - last up
    let dst = map3 (\i o u -> if o == 1 then zeros + u - 1 else i - u) (iota n) ones up
    in scatter (copy xs) dst xs

def main [n] [m] (alen: [n]u8) (blen: [n]u8) (cols: [m]i32) (vals: [m]f32) : (i64, []i64, []f32, f64) =
  let la = map (\l -> i64.u8 (l % 6)) alen
  let lb = map (\l -> i64.u8 (l % 4)) blen
  let boffs = offsets lb
  let nnz = i64.sum la
  -- both matrices take their columns and values cyclically from the same pool
  let arow = owners nnz la
  let acol = map (\k -> i64.i32 cols[k % m] % n) (iota nnz)
  let width = map (\c -> lb[c]) acol
  let total = i64.sum width
  let who = owners total width
  let woffs = offsets width
  let products =
    map2 (\k e ->
            let p = boffs[acol[e]] + k - woffs[e]
            let q = (p * 7 + 3) % m
            let c = i64.i32 cols[q] % n
            in (arow[e] * n + c, (vals[e % m] - 0.5) * (vals[q] + 0.5)))
         (iota total) who
  let nbits = 64 - i64.clz (n * n)
  let sorted = radix_sort nbits (.0) products
  let keys = map (.0) sorted
  let heads = map (\i -> i == 0 || keys[i] != keys[i - 1]) (iota total)
  let slot = map (\s -> s - 1) (scan (+) 0 (map i64.bool heads))
  let nout = if total == 0 then 0 else last slot + 1
  let outk = scatter (replicate nout 0) slot keys
  let outv = reduce_by_index (replicate nout 0) (+) 0 slot (map (.1) sorted)
  in (nout, outk, outv, f64.sum (map (\v -> f64.abs (f64.f32 v)) outv))
